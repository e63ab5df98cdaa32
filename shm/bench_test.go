//go:build linux

package shm

import (
	"context"
	"testing"
)

func BenchmarkRoundTrip(b *testing.B) {
	there, here := pair[[6]int64](b, Options{Slots: 4, SlotSize: 64})
	back, home := pair[[6]int64](b, Options{Slots: 4, SlotSize: 64})
	ctx := context.Background()
	go func() {
		var v [6]int64
		for {
			m, err := here.Receive(ctx)
			if err != nil {
				return
			}
			m.Alias(&v)
			m.Release()
			back.Send(ctx, &v)
		}
	}()
	var v [6]int64
	b.ReportAllocs()
	for b.Loop() {
		if err := there.Send(ctx, &v); err != nil {
			b.Fatal(err)
		}
		m, err := home.Receive(ctx)
		if err != nil {
			b.Fatal(err)
		}
		m.Alias(&v)
		m.Release()
	}
	there.Close()
}
