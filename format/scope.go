package format

import (
	"reflect"
	"sync"
	"sync/atomic"
)

// A scope says what a block is whose fields are looked for: of which messages, of which layout there, and read
// as which Go type. There is one for each such triple, so that two are the same if their addresses are.
type scope struct {
	core *core
	self *scope // itself, for who keeps it: the address in a view may not outlive a function, as the compiler sees it
	planKey
	slot uint8                // where handles look for the way through it first
	plan atomic.Pointer[plan] // to decode such a block, once that was asked for
}

// scopeSlots is for how many scopes of a type a handle finds its way at once.
const scopeSlots = 8

// scopesOf counts the scopes of each type, so that those of one have different slots.
var scopesOf sync.Map // reflect.Type: *atomic.Uint32

// scope returns the scope of blocks of l that are read as values of t. Of codecs without options it is that of the
// whole messages of t, so that handles for those read parts as fast.
func (c *core) scope(l *layout, t reflect.Type) *scope {
	if c.usual && t != c.typ && l.kind == kindOf(t) {
		if own, err := coreOf(t); err == nil {
			return own.root
		}
	}
	key := planKey{lay: l, typ: t}
	if s, ok := c.scopes.Load(key); ok {
		return s.(*scope)
	}
	n := &scope{core: c, planKey: key}
	n.self = n
	count, _ := scopesOf.LoadOrStore(t, new(atomic.Uint32))
	n.slot = uint8(count.(*atomic.Uint32).Add(1) % scopeSlots)
	s, _ := c.scopes.LoadOrStore(key, n)
	return s.(*scope)
}

// partPlan compiles the plan of a part of the codec's messages.
func (c *core) partPlan(l *layout, t reflect.Type, path string) (*plan, error) {
	// What a pointer leads to is read without it.
	foreign := c.foreign || l.kind == kindPointer && kindOf(t) != kindPointer
	compiler := compiler{plans: map[planKey]*plan{}, foreign: foreign, inner: true, most: c.steps, schema: c.schema}
	p, err := compiler.compile(l, t)
	if e, ok := err.(*Error); ok {
		e.Op, e.Path = "field", joinPath(path, e.Path)
	}
	return p, err
}

// decoding returns the plan that the scope's blocks are decoded by.
func (s *scope) decoding() (*plan, error) {
	if p := s.plan.Load(); p != nil {
		return p, nil
	}
	p, err := s.core.partPlan(s.lay, s.typ, "")
	if err != nil {
		return nil, err
	}
	s.plan.CompareAndSwap(nil, p)
	return s.plan.Load(), nil
}

// encoding returns the plan that the scope's blocks are encoded by: the text of a *string as a string.
func (s *scope) encoding() (*plan, error) {
	if s.lay.kind == kindPointer && kindOf(s.typ) == kindString {
		return s.core.partPlan(s.lay.elem, s.typ, "")
	}
	return s.decoding()
}
