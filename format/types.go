package format

import (
	"maps"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

// Types are the types that values in interfaces may have, each with the name that stands for it in
// messages: not the order of registration nor the package decides what a type is. The types of Go that
// have no package, and what SPEC §3.8 lists with them, are there from the start. Types are safe for
// concurrent use, and may be added to while codecs use them.
type Types struct {
	mu    sync.Mutex
	table atomic.Pointer[typeTable]
}

// A typeTable is one state of Types; it does not change.
type typeTable struct {
	byType map[reflect.Type]*boxType
	byID   map[uint64]*boxType
	byName map[string]*boxType
	most   int // the largest expansion of a box
}

// A boxType is a type that a box may hold.
type boxType struct {
	name  string
	id    uint64
	about *Schema // named
	typ   reflect.Type
	plan  *plan
	isKey bool     // may be in a map's key
	fits  sync.Map // reflect.Type of an interface: whether typ implements it
	spare sync.Pool
	most  int // expansion

	unknown int   // which field of typ, or of what it points to, is an Unknown, or -1
	foreign bool  // the layout is not that of typ
	lost    error // why values are not written under it
	err     error // why there is no plan
}

// NewTypes returns Types that hold what is there from the start.
func NewTypes() *Types { return new(Types) }

// defaultTypes is what codecs use without WithTypes.
var defaultTypes = NewTypes()

// Register makes T a type that a value in an interface may have, under a name that is the same in every
// program that reads or writes it. T and *T are two types. It is for the use of all codecs without
// [WithTypes], and is called from an init function or before the first message.
//
// Register panics if T cannot be written or is an interface, if the name is empty, if T has another name
// already or the name another type.
func Register[T any](name string) {
	if err := RegisterIn[T](defaultTypes, name); err != nil {
		panic(err)
	}
}

// RegisterIn is [Register] for codecs that are made with [WithTypes]; in place of a panic it returns an
// [*Error] of ErrType or ErrLimit.
func RegisterIn[T any](types *Types, name string) error {
	if types == nil {
		return &Error{Op: "register", Offset: -1, Err: failf(ErrType, "no Types")}
	}
	b, err := newBoxType(reflect.TypeFor[T](), name)
	if err != nil {
		return err
	}
	return types.add(b)
}

func newBoxType(t reflect.Type, name string) (*boxType, error) {
	if name == "" {
		return nil, &Error{Op: "register", Offset: -1, Err: failf(ErrType, "%s under an empty name", t)}
	}
	if t.Kind() == reflect.Interface {
		return nil, &Error{Op: "register", Offset: -1, Err: failf(ErrType, "%s is an interface", t)}
	}
	s, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	nodes, _ := s.minimise()
	layouts, err := layoutsOf(nodes)
	if err != nil {
		return nil, &Error{Op: "register", Offset: -1, Err: err}
	}
	c := compiler{plans: map[planKey]*plan{}}
	p, err := c.compile(layouts[0], t)
	if err != nil {
		return nil, err
	}
	about := newSchema(describe(nodes)).Named(name)
	b := &boxType{name: name, id: about.BoxID(), about: about, typ: t, plan: p, isKey: notKey(t) == "", unknown: unknownIn(t)}
	b.most = max(c.expansion(), boxExpansion(p))
	b.spare.New = func() any {
		v := reflect.New(t)
		return &spare{v.Elem(), ptrOfValue(v)}
	}
	return b, nil
}

// Schema returns the schema, with its name, of the type that has the box id (SPEC §3.8), and whether there is
// one. Nil Types are those that [Register] knows. It is for who must see to it that a reader knows the types
// in boxes, a low-level need.
func (t *Types) Schema(id uint64) (*Schema, bool) {
	if t == nil {
		t = defaultTypes
	}
	b := t.load().byID[id]
	if b == nil {
		return nil, false
	}
	return b.about, true
}

func (t *Types) add(b *boxType) error {
	refuse := func(text string, args ...any) error {
		return &Error{Op: "register", Offset: -1, Err: failf(ErrType, text, args...)}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.load()
	if old := now.byType[b.typ]; old != nil {
		if old.name == b.name {
			return nil
		}
		return refuse("%s is registered as %q, and now as %q", b.typ, old.name, b.name)
	}
	if old := now.byName[b.name]; old != nil {
		return refuse("%q is registered for %s, and now for %s", b.name, old.typ, b.typ)
	}
	if old := now.byID[b.id]; old != nil {
		return refuse("%q and %q have one box id, %016x: choose another name", b.name, old.name, b.id)
	}
	next := &typeTable{byType: maps.Clone(now.byType), byID: maps.Clone(now.byID), byName: maps.Clone(now.byName), most: now.most}
	next.put(b)
	t.table.Store(next)
	return nil
}

func (t *Types) load() *typeTable {
	if now := t.table.Load(); now != nil {
		return now
	}
	return builtins()
}

func (t *typeTable) put(b *boxType) {
	t.byType[b.typ], t.byID[b.id], t.byName[b.name] = b, b, b
	t.most = max(t.most, b.most)
}

// A spare is a value of a boxType that nobody uses, zero.
type spare struct {
	v reflect.Value
	p ptr
}

func (b *boxType) take() *spare { return b.spare.Get().(*spare) }

func (b *boxType) give(s *spare) {
	s.v.SetZero()
	b.spare.Put(s)
}

// implements reports whether the interface type t can hold a value of b's type.
func (b *boxType) implements(t reflect.Type) bool {
	if t.NumMethod() == 0 {
		return true
	}
	if ok, found := b.fits.Load(t); found {
		return ok.(bool)
	}
	ok := b.typ.Implements(t)
	b.fits.Store(t, ok)
	return ok
}

// builtins are the types that are there from the start.
var builtins = sync.OnceValue(func() *typeTable {
	t := &typeTable{map[reflect.Type]*boxType{}, map[uint64]*boxType{}, map[string]*boxType{}, 0}
	put := func(v any, name string) {
		b, err := newBoxType(reflect.TypeOf(v), name)
		if err != nil {
			panic(err)
		}
		t.put(b)
	}
	for _, v := range []any{
		false, 0, int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0),
		float32(0), float64(0), complex64(0), complex128(0), "", time.Time{}, time.Duration(0),
	} {
		put(v, reflect.TypeOf(v).String())
	}
	for _, v := range []any{
		[]bool{}, []int{}, []int8{}, []int16{}, []int32{}, []int64{}, []uint{}, []uint16{}, []uint32{}, []uint64{},
		[]float32{}, []float64{}, []complex64{}, []complex128{}, []string{}, []time.Time{}, []time.Duration{}, map[string]string{},
	} {
		put(v, reflect.TypeOf(v).String())
	}
	put([]byte{}, "[]byte")
	put([]any{}, "[]any")
	put(map[string]any{}, "map[string]any")
	return t
})
