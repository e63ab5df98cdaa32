package suite

import (
	"cmp"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
)

// An entry of a map.
type entry[K cmp.Ordered, V any] struct {
	key   K
	value V
}

// entryBytes appends an entry to bytes, and reads one from the front of them.
type entryBytes[K cmp.Ordered, V any] struct {
	append func(p []byte, e *entry[K, V]) []byte
	read   func(p []byte) (e entry[K, V], rest []byte)
}

// reflectSort is what any writer has to do that knows a map's type by reflection
// and orders the entries: collect them, sort them, and append the bytes of each.
// Its message has nothing else, strings but for their length.
func reflectSort[K cmp.Ordered, V any](b entryBytes[K, V]) library[map[K]V] {
	f := &form[map[K]V]{
		write: func(v *map[K]V) ([]byte, error) { return new(sorter[K, V]).write(nil, v, b), nil },
		read: func(msg []byte, v *map[K]V) error {
			*v = make(map[K]V)
			for len(msg) > 0 {
				var e entry[K, V]
				e, msg = b.read(msg)
				(*v)[e.key] = e.value
			}
			return nil
		},
	}
	return library[map[K]V]{ReflectSort, []way[map[K]V]{
		{Serialize, Contiguous, f, false, func(r *run[map[K]V]) func() {
			var s sorter[K, V]
			return func() { r.out = s.write(r.mem.all[:0], r.src, b) }
		}},
	}}
}

// A sorter is reused from map to map, as are its entries.
type sorter[K cmp.Ordered, V any] struct {
	iter    reflect.MapIter
	next    entry[K, V] // here, for what reflect points at is on the heap
	entries []entry[K, V]
}

func (s *sorter[K, V]) write(p []byte, v *map[K]V, b entryBytes[K, V]) []byte {
	s.entries = s.entries[:0]
	key, value := reflect.ValueOf(&s.next.key).Elem(), reflect.ValueOf(&s.next.value).Elem()
	s.iter.Reset(reflect.ValueOf(v).Elem())
	for s.iter.Next() {
		key.SetIterKey(&s.iter)
		value.SetIterValue(&s.iter)
		s.entries = append(s.entries, s.next)
	}
	slices.SortFunc(s.entries, func(a, b entry[K, V]) int { return cmp.Compare(a.key, b.key) })
	for i := range s.entries {
		p = b.append(p, &s.entries[i])
	}
	return p
}

var stringInt64 = entryBytes[string, int64]{
	append: func(p []byte, e *entry[string, int64]) []byte {
		return binary.LittleEndian.AppendUint64(appendString(p, e.key), uint64(e.value))
	},
	read: func(p []byte) (e entry[string, int64], rest []byte) {
		e.key, p = readString(p)
		e.value = int64(binary.LittleEndian.Uint64(p))
		return e, p[8:]
	},
}

var int64Float64 = entryBytes[int64, float64]{
	append: func(p []byte, e *entry[int64, float64]) []byte {
		p = binary.LittleEndian.AppendUint64(p, uint64(e.key))
		return binary.LittleEndian.AppendUint64(p, math.Float64bits(e.value))
	},
	read: func(p []byte) (e entry[int64, float64], rest []byte) {
		e.key = int64(binary.LittleEndian.Uint64(p))
		e.value = math.Float64frombits(binary.LittleEndian.Uint64(p[8:]))
		return e, p[16:]
	},
}

var stringString = entryBytes[string, string]{
	append: func(p []byte, e *entry[string, string]) []byte { return appendString(appendString(p, e.key), e.value) },
	read: func(p []byte) (e entry[string, string], rest []byte) {
		e.key, p = readString(p)
		e.value, p = readString(p)
		return e, p
	},
}

func appendString(p []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(p, uint32(len(s))), s...)
}

func readString(p []byte) (s string, rest []byte) {
	n := binary.LittleEndian.Uint32(p)
	return string(p[4 : 4+n]), p[4+n:]
}
