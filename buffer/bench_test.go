package buffer

import "testing"

func BenchmarkAppend(b *testing.B) {
	for _, k := range kinds {
		b.Run("op=extend/mem="+k.name, func(b *testing.B) {
			buf := k.make(b, 1<<20)
			for b.Loop() {
				buf.Reset()
				if _, err := buf.Extend(100); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("op=reserve-extend/mem="+k.name, func(b *testing.B) {
			buf := k.make(b, 1<<20)
			for b.Loop() {
				buf.Reset()
				p, err := buf.Reserve(100)
				if err != nil {
					b.Fatal(err)
				}
				p[0] = 1
				if _, err := buf.Extend(90); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenClose(b *testing.B) {
	offHeap(b, 1).Close()
	b.ReportAllocs()
	for b.Loop() {
		buf, err := OffHeap(1 << 20)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := buf.Extend(1); err != nil {
			b.Fatal(err)
		}
		if err := buf.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLive(b *testing.B) {
	heap := address(New(8).mem)
	for _, n := range []struct {
		name string
		open int
	}{{"open=0", 0}, {"open=1", 1}, {"open=1000", 1000}} {
		b.Run("op=contains/"+n.name, func(b *testing.B) {
			for range n.open {
				offHeap(b, 1)
			}
			for b.Loop() {
				if r := Live(); !r.Empty() && r.Contains(heap) {
					b.Fatal("the Go heap is live")
				}
			}
		})
	}
}
