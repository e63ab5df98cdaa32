package format_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// A versionOf is a version of a type: its own codec and what reads its messages as the type.
type versionOf struct {
	in        reflect.Type
	read, own *format.AnyCodec
}

// copied returns a deep copy of v.
func copied(own *format.AnyCodec, v any, t reflect.Type) (any, error) {
	msg, err := own.Append(nil, v)
	if err != nil {
		return nil, err
	}
	c := reflect.New(t).Interface()
	return c, own.Decode(alignedCopy(msg), c)
}

// oneTarget reads messages of several schemas, some of them damaged, into one target, in any mode: each time it
// gets what a fresh copy of it gets by Decode, and no message is written to.
func oneTarget(t *testing.T, b *buffer.Buffer, seed uint64) {
	f := seeded(seed, 60)
	var out reflect.Type
	for {
		out = randomType(f, 3)
		if out.Kind() == reflect.Struct && out.PkgPath() == "" && !isOpaque(out) && out.Size() <= 8<<10 && fits(out) {
			break
		}
	}
	refs, shared := f.below(3) == 0, f.below(3) == 0
	var opts []format.Option
	if refs {
		opts = append(opts, format.WithRefs())
	}
	if shared {
		opts = append(opts, format.WithShared())
	}
	own, err := format.AnyFor(out, opts...)
	if err != nil {
		t.Fatal(err)
	}
	versions := []versionOf{{out, own, own}}
	if e, err := format.EvolvedAny(out, own.Description(), format.SchemaLimits{}, opts...); err == nil {
		versions = append(versions, versionOf{out, e, own})
	}
	for tries := 0; len(versions) < 5 && tries < 40; tries++ {
		in := f.editStruct(out)
		if f.below(2) == 0 {
			func() {
				defer func() { _ = recover() }() // a field twice
				in = f.editStruct(in)
			}()
		}
		if in.Size() > 16<<10 || !fits(in) {
			continue
		}
		w, err := format.AnyFor(in, opts...)
		if err != nil {
			continue
		}
		r, err := format.EvolvedAny(out, w.Description(), format.SchemaLimits{}, opts...)
		if err != nil {
			continue
		}
		versions = append(versions, versionOf{in, r, w})
	}
	off := f.below(2) == 0
	b.Reset()
	type sent struct{ live, was []byte }
	var all []sent
	target := reflect.New(out).Interface()
	aliased := false
	var log string
	fail := func(text string, args ...any) {
		t.Fatalf("seed %d refs %v shared %v off %v\n%v\n%s\n%s", seed, refs, shared, off, out, log, fmt.Sprintf(text, args...))
	}
	for step := range 14 {
		v := versions[f.below(len(versions))]
		f.budget = 60
		var x any
		if refs {
			f.made = map[reflect.Type][]reflect.Value{}
			x = f.random(v.in).Interface()
			f.made = nil
		} else {
			x = f.writers(v.in)
		}
		msg, err := v.own.Append(nil, x)
		if err != nil {
			continue
		}
		damaged := f.below(6) == 0
		if damaged && len(msg) > 16 {
			msg[16+f.below(len(msg)-16)] ^= byte(1 << f.below(8))
		}
		var in []byte
		if off {
			in = putOffHeap(t, b, msg)
		} else {
			in = alignedCopy(msg)
		}
		mode := f.below(3)
		if mode == 1 && aliased && !off {
			mode = 2 * f.below(2)
		}
		log += fmt.Sprintf("step %d: %v mode %d damaged %v\n", step, v.in, mode, damaged)
		want, err := copied(own, target, out)
		if err != nil {
			fail("copy of target: %v", err)
		}
		wantErr := v.read.Decode(alignedCopy(msg), want)
		gotErr := evolvedReads[mode].call(v.read, in, target)
		aliased = aliased || mode == 2
		all = append(all, sent{in, bytes.Clone(msg)})
		for i, s := range all {
			if !bytes.Equal(s.live, s.was) {
				fail("message %d was written into: %s", i, firstDifference(s.live, s.was))
			}
		}
		if (wantErr == nil) != (gotErr == nil) {
			fail("%v, a fresh decode %v", gotErr, wantErr)
		}
		if gotErr == nil {
			if d := differenceIn(refs, target, want); d != "" {
				fail("differs%s", d)
			}
		}
		if gotErr != nil && refs { // a damaged graph may hold what cannot be encoded
			if _, err := copied(own, target, out); err != nil {
				target = reflect.New(out).Interface()
				aliased = false
			}
		}
	}
}

// TestOneTargetOfManySchemas takes random types and versions of them.
func TestOneTargetOfManySchemas(t *testing.T) {
	b := offHeap(t)
	n := thinned(300)
	if long {
		n = 5000
	}
	for seed := range n {
		oneTarget(t, b, uint64(seed)+7<<50)
	}
}
