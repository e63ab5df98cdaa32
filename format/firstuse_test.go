package format_test

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestFirstUseByMany: a hundred goroutines make codecs of types that nobody has met, at
// once, and use every method of them and of one that they share.
func TestFirstUseByMany(t *testing.T) {
	type leaf struct {
		When  time.Time
		Addr  netip.Addr
		Opt   *bool
		Flags []bool
		Big   []int64
	}
	type key struct {
		A string
		B [2]float32
	}
	type node struct {
		Name string
		Kids map[key]*node
		Any  any
		Leaf *leaf
		List []leaf
		Up   **node
	}
	one := leaf{time.Unix(1, 2).UTC(), oddAddrs[2], new(true), []bool{true, false}, make([]int64, 100)}
	v := node{
		Name: "root", Kids: map[key]*node{{"a", [2]float32{1, 2}}: {Name: "kid", Any: []any{1, "x"}}, {"b", [2]float32{}}: nil}, Any: map[string]any{"x": time.Second, "y": nil},
		Leaf: &one, List: []leaf{one, {}}, Up: new(&node{Name: "up"}),
	}
	twice := v
	twice.Kids = map[key]*node{{A: "1"}: *v.Up, {A: "2"}: *v.Up}
	for _, x := range []struct {
		name  string
		v     *node
		graph bool
		opts  []format.Option
	}{
		{"default", &v, false, nil},
		{"tracked", &twice, true, []format.Option{format.WithRefs()}},
		{"limits and own types", &v, false, []format.Option{format.WithMaxDepth(50), format.WithMaxMessage(1 << 20), format.WithTypes(format.NewTypes()), format.WithShared()}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var shared struct {
				sync.Once
				c *format.Codec[node]
			}
			var start, done sync.WaitGroup
			start.Add(1)
			msgs := make([][]byte, 100)
			for i := range msgs {
				done.Go(func() {
					start.Wait()
					own, err := format.For[node](x.opts...)
					if err != nil {
						t.Error(err)
						return
					}
					shared.Do(func() { shared.c = own })
					for range thinned(4) {
						for _, c := range []*format.Codec[node]{own, shared.c} {
							if msgs[i], err = useAll(c, x.v, x.graph); err != nil {
								t.Error(err)
								return
							}
						}
					}
				})
			}
			start.Done()
			done.Wait()
			for _, msg := range msgs {
				if !bytes.Equal(msg, msgs[0]) {
					t.Fatal("one value has two messages")
				}
			}
		})
	}
}

// useAll calls every method of c and returns the message of v.
func useAll[T any](c *format.Codec[T], v *T, graph bool) ([]byte, error) {
	msg, ids, err := c.AppendBoxes(nil, nil, v)
	if err != nil || len(ids) == 0 {
		return nil, fmt.Errorf("AppendBoxes: %d ids, %w", len(ids), err)
	}
	b, apart := buffer.New(len(msg)), buffer.New(len(msg))
	pieces, err := c.Gather(net.Buffers{}, apart, v)
	var out bytes.Buffer
	_, toErr := c.WriteTo(&out, v)
	again, appendErr := c.Append(nil, v)
	if n, sizeErr := c.Size(v); err != nil || toErr != nil || appendErr != nil || sizeErr != nil || n != len(msg) || c.Encode(b, v) != nil {
		return nil, fmt.Errorf("%v, %v, %v, %v, size %d", err, toErr, appendErr, sizeErr, n)
	}
	for name, got := range map[string][]byte{"Gather": bytes.Join(pieces, nil), "WriteTo": out.Bytes(), "Append": again, "Encode": b.Bytes()} {
		if !bytes.Equal(got, msg) {
			return nil, fmt.Errorf("%s: %s", name, firstDifference(got, msg))
		}
	}
	clone, err := c.Clone(v)
	if err != nil {
		return nil, err
	}
	back, reused, aliased := new(T), new(T), new(T)
	for name, err := range map[string]error{"Verify": c.Verify(msg), "Decode": c.Decode(msg, back), "DecodeReuse": c.DecodeReuse(msg, reused), "DecodeAlias": c.DecodeAlias(msg, aliased)} {
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	for name, got := range map[string]*T{"Clone": clone, "Decode": back, "DecodeReuse": reused, "DecodeAlias": aliased} {
		if d := differenceIn(graph, got, v); d != "" {
			return nil, fmt.Errorf("%s gives%s", name, d)
		}
	}
	if c.Expansion() <= 0 || c.Fingerprint() != load(msg[8:]) || len(c.Description()) == 0 {
		return nil, fmt.Errorf("the codec describes itself otherwise")
	}
	return msg, nil
}
