package format_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"reflect"
	"sort"
	"strings"
	"time"
)

// A dump is a message as text, one line for what stands in at most a word:
//
//	00000020  06 00 00 00 03 00 00 00  Sizes: 3 elements at 0x50
//
// that is the offset, the bytes and what they mean. Lines that begin with # are
// there for the reader. dumpBytes takes the bytes out again.

const dumpHex = len("00 11 22 33 44 55 66 77")

type note struct {
	off, size int64
	text      string
	heading   bool // a line of its own before the bytes at off
}

type dumper struct {
	msg   []byte
	notes []note
	told  map[int64]bool // the objects that may be referred to again and have their notes
}

// dump annotates a valid message of the value *p.
func dump(msg []byte, p any) string {
	v := reflect.ValueOf(p).Elem()
	d := &dumper{msg: msg, told: map[int64]bool{modelHeader: true}}
	d.note(0, 2, "magic")
	d.note(2, 1, "version %d", msg[2])
	d.note(3, 1, "flags: %s", []string{"none", "graph"}[msg[3]])
	d.note(4, 4, "%d words: %d bytes", len(msg)/8, len(msg))
	d.note(8, 8, "fingerprint %016x", binary.LittleEndian.Uint64(msg[8:]))
	d.heading(modelHeader, "root block, %d bytes", layoutOf(v.Type()).size)
	d.value(modelHeader, v, "")
	return d.String()
}

func (d *dumper) note(off, size int64, format string, args ...any) {
	d.notes = append(d.notes, note{off, size, fmt.Sprintf(format, args...), false})
}

func (d *dumper) heading(off int64, format string, args ...any) {
	d.notes = append(d.notes, note{off, 0, fmt.Sprintf(format, args...), true})
}

func named(path string) string {
	if path == "" {
		return "value"
	}
	return path
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (d *dumper) value(off int64, v reflect.Value, path string) {
	t := v.Type()
	switch {
	case isInline(t):
		d.inline(off, v, named(path), "")
	case isRef(t):
		d.ref(off, v, path)
	case t.Kind() == reflect.Array:
		d.elements(off, v, path)
	default:
		l := layoutOf(t)
		if l.optionals > 0 {
			var set []string
			for i := range l.optionals {
				if d.msg[off+int64(i/8)]>>(i%8)&1 != 0 {
					set = append(set, fmt.Sprint(i))
				}
			}
			text := "none of"
			if len(set) > 0 {
				text = strings.Join(set, " ") + " of"
			}
			d.note(off, int64(l.optionals+63)/64*8, "%s: presence, %s %d", named(path), text, l.optionals)
		}
		for _, f := range l.fields {
			fv, fpath := v, path
			if f.index >= 0 {
				fv, fpath = v.Field(f.index), join(path, f.name)
			}
			switch {
			case !f.optional:
				d.value(off+f.off, fv, fpath)
			case fv.IsNil():
				d.note(off+f.off, layoutOf(f.typ.Elem()).size, "%s: nil (optional %d)", named(fpath), f.bit)
			default:
				d.inline(off+f.off, fv.Elem(), named(fpath), fmt.Sprintf(" (optional %d)", f.bit))
			}
		}
	}
}

// inline notes a scalar or a time.
func (d *dumper) inline(off int64, v reflect.Value, what, kind string) {
	if !isTime(v.Type()) {
		d.note(off, layoutOf(v.Type()).size, "%s = %s%s", what, scalarText(v), kind)
		return
	}
	t := v.Interface().(time.Time)
	_, east := t.Zone()
	d.note(off, 8, "%s = %s%s: seconds", what, t.UTC().Format("2006-01-02T15:04:05"), kind)
	d.note(off+8, 4, "%s: %d ns", what, t.Nanosecond())
	d.note(off+12, 4, "%s: %d s east of UTC", what, east)
}

// elements notes the elements of an array or slice; small scalars share a line.
func (d *dumper) elements(off int64, v reflect.Value, path string) {
	e := layoutOf(v.Type().Elem())
	if e.size == 0 {
		return
	}
	if !isScalar(v.Type().Elem()) {
		for i := range v.Len() {
			d.value(off+int64(i)*e.size, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
		return
	}
	for i := 0; i < v.Len(); {
		first, at := i, off+int64(i)*e.size
		var texts []string
		for i < v.Len() && (i == first || (off+int64(i)*e.size)/8 == at/8) {
			texts = append(texts, scalarText(v.Index(i)))
			i++
		}
		which := fmt.Sprint(first)
		if i-1 > first {
			which = fmt.Sprintf("%d..%d", first, i-1)
		}
		d.note(at, int64(i-first)*e.size, "%s[%s] = %s", path, which, strings.Join(texts, ", "))
	}
}

func (d *dumper) ref(off int64, v reflect.Value, path string) {
	t := v.Type()
	ref := binary.LittleEndian.Uint64(d.msg[off:])
	count := int64(ref >> 32)
	target := off + int64(int32(uint32(ref)))*8
	what := named(path)
	switch {
	case ref == 0 && isString(t):
		d.note(off, 8, "%s: empty", what)
		return
	case ref == 0:
		d.note(off, 8, "%s: nil", what)
		return
	case ref == 1 && isCustom(t):
		d.note(off, 8, "%s: no bytes", what)
		return
	case ref == 1:
		d.note(off, 8, "%s: empty, not nil", what)
		return
	case isString(t) || isPString(t) || isCustom(t):
		d.note(off, 8, "%s: %d bytes at %#x", what, count, target)
		d.heading(target, "%s", what)
		for i := int64(0); i < count; i += 8 {
			n := min(8, count-i)
			d.note(target+i, n, "%q", d.msg[target+i:target+i+n])
		}
		return
	case t.Kind() == reflect.Interface:
		in := addressable(v.Elem())
		d.note(off, 8, "%s: a box at %#x", what, target)
		d.heading(target, "%s in a box, %d bytes", what, 8+layoutOf(in.Type()).size)
		d.note(target, 8, "box id of %s", modelBoxes().names[in.Type()])
		d.value(target+8, in, path)
		return
	}
	e := layoutOf(objectOf(t))
	if e.size == 0 {
		d.note(off, 8, "%s: %d of no bytes", what, count)
		return
	}
	if hasIdentity(t) && d.msg[3] == 1 {
		if d.told[target] {
			d.note(off, 8, "%s: at %#x again", what, target)
			return
		}
		d.told[target] = true
	}
	switch t.Kind() {
	case reflect.Pointer:
		d.note(off, 8, "%s: at %#x", what, target)
		d.heading(target, "*%s, %d bytes", what, e.size)
		d.value(target, v.Elem(), path)
	case reflect.Map:
		d.note(off, 8, "%s: %d entries at %#x", what, count, target)
		d.heading(target, "%s, %d × %d bytes", what, count, e.size)
		d.elements(target, sortedEntries(off, v), path)
	default:
		d.note(off, 8, "%s: %d elements at %#x", what, count, target)
		d.heading(target, "%s, %d × %d bytes", what, count, e.size)
		d.elements(target, v, path)
	}
}

func (d *dumper) String() string {
	sort.SliceStable(d.notes, func(i, j int) bool { return d.notes[i].off < d.notes[j].off })
	var out strings.Builder
	line := func(off, size int64, text string) {
		for first := true; size > 0; first = false {
			n := min(size, 8-off%8)
			var bytes []string
			for _, b := range d.msg[off : off+n] {
				bytes = append(bytes, fmt.Sprintf("%02x", b))
			}
			l := fmt.Sprintf("%08x  %-*s", off, dumpHex, strings.Join(bytes, " "))
			if first {
				l += "  " + text
			}
			out.WriteString(strings.TrimRight(l, " ") + "\n")
			off, size = off+n, size-n
		}
	}
	at := int64(0)
	for _, n := range d.notes {
		if n.off > at {
			line(at, n.off-at, "gap")
			at = n.off
		}
		if n.off < at {
			panic("two notes about the same bytes: " + n.text)
		}
		if n.heading {
			fmt.Fprintf(&out, "# %s\n", n.text)
			continue
		}
		line(n.off, n.size, n.text)
		at += n.size
	}
	if end := int64(len(d.msg)); end > at {
		line(at, end-at, "gap")
	}
	return out.String()
}

// dumpBytes reads the bytes out of a dump.
func dumpBytes(text string) ([]byte, error) {
	var msg []byte
	for i, l := range strings.Split(text, "\n") {
		if l == "" || l[0] == '#' {
			continue
		}
		var off int
		if n, err := fmt.Sscanf(l, "%08x  ", &off); n != 1 || err != nil || off != len(msg) {
			return nil, fmt.Errorf("line %d: offset %x after %d bytes: %v", i+1, off, len(msg), err)
		}
		cell := l[10:min(len(l), 10+dumpHex)]
		b, err := hex.DecodeString(strings.ReplaceAll(cell, " ", ""))
		if err != nil {
			return nil, fmt.Errorf("line %d: %v", i+1, err)
		}
		msg = append(msg, b...)
	}
	return msg, nil
}

// scalarText is a scalar for people; a NaN shows its bits.
func scalarText(v reflect.Value) string {
	lo, hi := scalarBits(v)
	switch v.Kind() {
	case reflect.Bool:
		return fmt.Sprint(lo == 1)
	case reflect.Float32:
		return floatText(lo, 32)
	case reflect.Float64:
		return floatText(lo, 64)
	case reflect.Complex64:
		return "(" + floatText(lo, 32) + ", " + floatText(hi, 32) + ")"
	case reflect.Complex128:
		return "(" + floatText(lo, 64) + ", " + floatText(hi, 64) + ")"
	}
	if v.CanInt() {
		return fmt.Sprint(v.Int())
	}
	return fmt.Sprint(v.Uint())
}
