package format_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

type (
	peerHost  struct{ Peers []*peerHost }
	peerRoute struct {
		Next *peerRoute
		H    *peerHost
	}
	kid struct {
		Kids   []kid
		Parent *kid
	}
)

// A slice that is reached again behind a pointer that was not is no cycle, wherever on the path it is.
func TestSharedSlicesAreNoCycle(t *testing.T) {
	for n := range 13 {
		peers := make([]*peerHost, n+1)
		for i := range peers {
			peers[i] = new(peerHost)
		}
		for _, p := range peers {
			p.Peers = peers
		}
		route := &peerRoute{H: peers[0]}
		for range 40 {
			checkGraph(t, format.MustFor[peerRoute](format.WithRefs()), route)
			route = &peerRoute{Next: route}
		}
	}
	for depth := range 20 {
		root := &kid{Kids: make([]kid, 3)}
		for i := range root.Kids {
			root.Kids[i].Parent = root
		}
		for range depth {
			root = &kid{Kids: []kid{*root}, Parent: root}
		}
		checkGraph(t, format.MustFor[kid](format.WithRefs()), root)
	}
}

func checkGraph[T any](t *testing.T, c *format.Codec[T], v *T) {
	t.Helper()
	msg, err := c.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Size(v); err != nil || n != len(msg) {
		t.Fatalf("Size %d, %v, want %d", n, err, len(msg))
	}
	if err := c.Verify(msg); err != nil {
		t.Fatal(err)
	}
	var got T
	if err := c.Decode(msg, &got); err != nil {
		t.Fatal(err)
	}
	again, err := c.Append(nil, &got)
	if err != nil || string(again) != string(msg) {
		t.Fatal("what was read is written differently: ", err)
	}
}
