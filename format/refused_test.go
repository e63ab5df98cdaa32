//lint:file-ignore U1000 the fields that nobody uses are the point of these types

package format_test

import (
	"encoding"
	"errors"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

type (
	exportedInside struct{ X int }
	textual        struct{ X int }
	binaryOnPtr    struct{ X int }
	binaryAppender struct{ X int }
	onlyMarshal    struct{ X int }
	onlyUnmarshal  struct{ X int }
	promoted       struct {
		textual2
		Y int
	}
	textual2  struct{ x int }
	level     int
	levels    []int
	pair      [2]int
	holdsTime struct {
		A int
		time.Time
		B string
	}
	onlyHidden struct{ a, b int }
	onlyBlank  struct{ _ int }
	minus      struct {
		X int `ashlar:"-"`
	}
)

func (textual) MarshalText() ([]byte, error)               { return nil, nil }
func (*textual) UnmarshalText([]byte) error                { return nil }
func (*binaryOnPtr) MarshalBinary() ([]byte, error)        { return nil, nil }
func (*binaryOnPtr) UnmarshalBinary([]byte) error          { return nil }
func (binaryAppender) AppendBinary([]byte) ([]byte, error) { return nil, nil }
func (*binaryAppender) UnmarshalBinary([]byte) error       { return nil }
func (onlyMarshal) MarshalText() ([]byte, error)           { return nil, nil }
func (*onlyUnmarshal) UnmarshalBinary([]byte) error        { return nil }
func (textual2) MarshalText() ([]byte, error)              { return nil, nil }
func (*textual2) UnmarshalText([]byte) error               { return nil }
func (level) MarshalText() ([]byte, error)                 { return nil, nil }
func (*level) UnmarshalText([]byte) error                  { return nil }
func (levels) MarshalText() ([]byte, error)                { return nil, nil }
func (*levels) UnmarshalText([]byte) error                 { return nil }
func (pair) MarshalBinary() ([]byte, error)                { return nil, nil }
func (*pair) UnmarshalBinary([]byte) error                 { return nil }

var (
	_ encoding.TextMarshaler     = textual{}
	_ encoding.BinaryAppender    = binaryAppender{}
	_ encoding.BinaryUnmarshaler = (*pair)(nil)
)

// refusal tries to make a codec of struct{ Outer struct{ Field T } } and of T alone.
type refusal struct {
	name   string
	inside func() (*codec, error)
	alone  func() (*codec, error)
}

func refused[T any](name string) refusal {
	type inner struct {
		A     int
		Field T
	}
	type outer struct {
		B     string
		Outer inner
	}
	return refusal{name, func() (*codec, error) { return forget[outer]() }, func() (*codec, error) { return forget[T]() }}
}

// TestRefusedTypes: what the format cannot carry is an error when the codec is
// made, which names the field (C01, C10).
func TestRefusedTypes(t *testing.T) {
	for _, r := range []refusal{
		refused[chan int]("chan"),
		refused[func()]("func"),
		refused[map[chan int]int]("map with keys that are chans"),
		refused[map[string]func()]("map of funcs"),
		refused[map[*int]int]("map with keys that are pointers"),
		refused[map[[2]*string]int]("map with keys that hold pointers"),
		refused[map[time.Time]int]("map with keys that are times"),
		refused[map[struct{ T [1]time.Time }]int]("map with keys that hold times"),
		refused[map[struct{ A, b int }]int]("map with keys that are not written whole"),
		refused[map[struct {
			A int
			_ int
		}]int]("map with keys that have blank fields"),
		refused[map[minus]int]("map with keys whose field is left out"),
		refused[uintptr]("uintptr"),
		refused[unsafe.Pointer]("unsafe.Pointer"),
		refused[onlyHidden]("no exported field"),
		refused[onlyBlank]("no field but blank ones"),
		refused[atomic.Int64]("atomic.Int64"),
		refused[[]minus]("slice of nothing but Go bytes"),
		refused[[][2]minus]("slice of arrays of nothing but Go bytes"),
		refused[struct{ exportedInside }]("embeds an unexported struct with exported fields"),
		refused[struct {
			X int
			exportedInside
		}]("embeds such a struct beside others"),
		refused[struct {
			X int
			*exportedInside
		}]("embeds a pointer to such a struct"),
		refused[struct {
			A int `ashlar:"B"`
			B int
		}]("a renamed field with the name of another"),
		refused[struct {
			A int `ashlar:"x"`
			B int `ashlar:"x"`
		}]("two fields of one name"),
		refused[*chan int]("pointer to chan"),
		refused[**uintptr]("pointer to pointer to uintptr"),
		refused[*uintptr]("pointer to uintptr"),
		refused[[]*struct{ X []func() }]("func deep inside"),
	} {
		t.Run(r.name, func(t *testing.T) {
			check := func(c *codec, err error, path string) {
				t.Helper()
				var e *format.Error
				if !errors.Is(err, format.ErrType) || !errors.As(err, &e) {
					t.Fatalf("%v, want ErrType", err)
				}
				if !strings.HasPrefix(e.Path, path) || path != "" && !strings.Contains(err.Error(), path) {
					t.Errorf("the path is %q, want %q: %v", e.Path, path, err)
				}
				if e.Op == "" || e.Offset != -1 {
					t.Errorf("Op %q, Offset %d: %v", e.Op, e.Offset, err)
				}
				if c != nil {
					t.Error("a codec beside the error")
				}
			}
			c, err := r.inside()
			check(c, err, "Outer.Field")
			c, err = r.alone()
			check(c, err, "")
			// Again: a refusal is remembered or found again, not turned into a codec.
			c, err = r.inside()
			check(c, err, "Outer.Field")
		})
	}
}

// TestRefusedPathsReachTheField: the path goes through slices, arrays and pointers
// down to the field.
func TestRefusedPathsReachTheField(t *testing.T) {
	type leaf struct{ Bad chan int }
	type T struct {
		A []*[2]leaf
	}
	_, err := format.For[T]()
	var e *format.Error
	if !errors.As(err, &e) || !strings.HasPrefix(e.Path, "A") || !strings.HasSuffix(e.Path, "Bad") {
		t.Errorf("%v", err)
	}
	if err != nil && !strings.Contains(err.Error(), "chan int") {
		t.Errorf("the error does not name the type: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("MustFor does not panic")
		}
	}()
	format.MustFor[T]()
}

// TestMalformedTags: a tag that would name nothing sensible is refused.
func TestMalformedTags(t *testing.T) {
	for _, tag := range []reflect.StructTag{`ashlar:name`, `ashlar:"name`, `ashlar:"a,omitempty"`, `ashlar:"-,"`, `json:"b" ashlar:b`} {
		typ := reflect.StructOf([]reflect.StructField{
			{Name: "A", Type: reflect.TypeFor[int32]()},
			{Name: "B", Type: reflect.TypeFor[int32](), Tag: tag},
		})
		_, err := format.Marshal(reflect.New(typ).Interface())
		var e *format.Error
		if !errors.Is(err, format.ErrType) || !errors.As(err, &e) || e.Path != "B" {
			t.Errorf("tag %q: %v, want ErrType at B", string(tag), err)
		}
	}
}

// TestAcceptedTypes is what looks like the refused and is not.
func TestAcceptedTypes(t *testing.T) {
	for name, make := range map[string]func() (*codec, error){
		"scalar with marshaler":            func() (*codec, error) { return forget[level]() },
		"pointer to scalar with marshaler": func() (*codec, error) { return forget[*level]() },
		"slice of scalars with marshaler":  func() (*codec, error) { return forget[[]level]() },
		"time.Duration":                    func() (*codec, error) { return forget[time.Duration]() },
		"half a pair of marshalers":        func() (*codec, error) { return forget[onlyMarshal]() },
		"the other half":                   func() (*codec, error) { return forget[onlyUnmarshal]() },
		"promoted from a hidden embedded":  func() (*codec, error) { return forget[promoted]() },
		"no fields":                        func() (*codec, error) { return forget[struct{}]() },
		"no fields in a slice":             func() (*codec, error) { return forget[[]struct{}]() },
		"only a field left out":            func() (*codec, error) { return forget[minus]() },
		"left out: map": func() (*codec, error) {
			return forget[struct {
				A map[int]any `ashlar:"-"`
			}]()
		},
		"left out: time": func() (*codec, error) {
			return forget[struct {
				time.Time `ashlar:"-"`
			}]()
		},
		"left out: hidden struct": func() (*codec, error) {
			return forget[struct {
				A onlyHidden `ashlar:"-"`
			}]()
		},
		"left out: embedded": func() (*codec, error) {
			return forget[struct {
				exportedInside `ashlar:"-"`
			}]()
		},
		"left out: embedded pointer": func() (*codec, error) {
			return forget[struct {
				*exportedInside `ashlar:"-"`
				X               int
			}]()
		},
		"embedded hidden without exported": func() (*codec, error) {
			return forget[struct {
				onlyHidden
				X int
			}]()
		},
		"embedded hidden scalar": func() (*codec, error) {
			return forget[struct {
				level
				X int
			}]()
		},
		"hidden fields of refused types": func() (*codec, error) {
			return forget[struct {
				m map[int]int
				f func()
				X int
			}]()
		},
		"blank field of a refused type": func() (*codec, error) {
			return forget[struct {
				_ func()
				X int
			}]()
		},
		"swapped names": func() (*codec, error) {
			return forget[struct {
				A int `ashlar:"B"`
				B int `ashlar:"A"`
			}]()
		},
		"name of a field that is left out": func() (*codec, error) {
			return forget[struct {
				A int `ashlar:"-"`
				B int `ashlar:"A"`
			}]()
		},
		"other tags": func() (*codec, error) {
			return forget[struct {
				A int `json:"a,omitempty" xml:"-"`
			}]()
		},
	} {
		c, err := make()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		v := seeded(1, 50).random(c.Type()).Interface()
		got, err := c.Append(nil, v)
		if want := mustModelEncode(v); err != nil || string(got) != string(want) {
			t.Errorf("%s: %v, %s", name, err, firstDifference(got, want))
		}
	}
}

// TestEmbeddedMarshalerDoesNotSwallow: a method that is promoted from an embedded
// field is not the struct's own (C02).
func TestEmbeddedMarshalerDoesNotSwallow(t *testing.T) {
	h := holdsTime{1, time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), "b"}
	checkMarshal(t, reflect.ValueOf(&h), reflect.New(reflect.TypeFor[holdsTime]()))
	type withDuration struct {
		A int
		time.Duration
		B string
	}
	v := withDuration{1, 2, "b"}
	checkMarshal(t, reflect.ValueOf(&v), reflect.New(reflect.TypeFor[withDuration]()))
}
