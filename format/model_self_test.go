package format_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
)

// TestModelAgreesWithItself: what the model writes it reads as the same value, and
// writes again as the same bytes, for the whole table and random types.
func TestModelAgreesWithItself(t *testing.T) {
	rows := append(table()[:len(table()):len(table())], graphRows()...)
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			for i, v := range r.all(thinned(12)) {
				checkModel(t, r, i, v)
			}
		})
	}
	t.Run("random types", func(t *testing.T) {
		for seed := range uint64(thinned(1500)) {
			f := seeded(seed, 0)
			typ := randomType(f, 3)
			if typ.Size() > 1<<16 {
				continue
			}
			r := row{name: fmt.Sprint(typ), typ: typ, refs: seed%2 == 0}
			for i, v := range r.all(4) {
				checkModel(t, r, i, v)
			}
			if t.Failed() {
				t.Fatalf("seed %d: %v", seed, typ)
			}
		}
	})
}

func checkModel(t *testing.T, r row, i int, v any) {
	t.Helper()
	msg, err := modelEncodeWith(reflect.ValueOf(v).Elem(), r.options())
	if err != nil {
		t.Errorf("value %d: %v", i, err)
		return
	}
	if again := r.encode(v); !bytes.Equal(again, msg) {
		t.Errorf("value %d: written twice: %s", i, firstDifference(again, msg))
	}
	back, err := modelDecodeWith(msg, r.typ, r.options())
	if err != nil {
		t.Errorf("value %d: the model refuses its own message: %v", i, err)
		return
	}
	if d := r.difference(v, back.Interface()); d != "" {
		t.Errorf("value %d: the model loses%s", i, d)
	}
	if again := r.encode(back.Interface()); !bytes.Equal(again, msg) {
		t.Errorf("value %d: read and written: %s", i, firstDifference(again, msg))
	}
	if got, err := dumpBytes(dump(msg, v)); err != nil || !bytes.Equal(got, msg) {
		t.Errorf("value %d: the dump is of other bytes: %v, %s", i, err, firstDifference(got, msg))
	}
}
