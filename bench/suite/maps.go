package suite

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ashlar-go/ashlar/bench/workload"
)

// mapCases are those of one operation in one kind of memory, of which there are
// some for serialize alone: what takes time there is to put the entries in order.
func mapCases(op, kind string) []Case {
	if op != Serialize {
		return nil
	}
	return slices.Concat(
		mapStringInt64.cases(op, kind),
		mapInt64Float64.cases(op, kind),
		mapStringString.cases(op, kind),
	)
}

var (
	mapStringInt64 = newMaps(StringInt64, workload.NewMapStringInt64, stringInt64,
		func(v int64) int64 { return v + 1 })
	mapInt64Float64 = newMaps(Int64Float64, workload.NewMapInt64Float64, int64Float64,
		func(v float64) float64 { return v + 1 })
	mapStringString = newMaps(StringString, workload.NewMapStringString, stringString,
		func(v string) string { return "X" + v[1:] })
)

func newMaps[K cmp.Ordered, V comparable](
	kind string, newMap func(n int) *map[K]V, b entryBytes[K, V], another func(V) V,
) *subject[map[K]V] {
	return &subject[map[K]V]{
		bench: Maps,
		data:  Map,
		kind:  kind,
		sizes: MapSizes,
		make:  newMap,
		alter: func(m *map[K]V) {
			k := slices.Min(slices.Collect(maps.Keys(*m)))
			(*m)[k] = another((*m)[k])
		},
		equal: func(a, b *map[K]V) bool { return maps.Equal(*a, *b) },
		libs:  []library[map[K]V]{ashlarLibrary[map[K]V](false, nil), reflectSort(b)},
	}
}
