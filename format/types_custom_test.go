package format_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Types that marshal themselves, and some that look as if they did.

// UUID is an array with methods for text.
type UUID [16]byte

func (u UUID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, u[:]), nil }

func (u *UUID) UnmarshalText(b []byte) error {
	if len(b) != 32 {
		return errors.New("no UUID")
	}
	_, err := hex.Decode(u[:], b)
	return err
}

// Celsius has methods on the value, and both pairs; the one for bytes counts.
type Celsius struct{ milli int32 }

func (c Celsius) MarshalBinary() ([]byte, error) {
	return binary.LittleEndian.AppendUint32(nil, uint32(c.milli)), nil
}

func (c *Celsius) UnmarshalBinary(b []byte) error {
	if len(b) != 4 {
		return errors.New("no temperature")
	}
	c.milli = int32(binary.LittleEndian.Uint32(b))
	return nil
}

func (c Celsius) MarshalText() ([]byte, error) { return nil, errors.New("not as text") }
func (c *Celsius) UnmarshalText([]byte) error  { return errors.New("not as text") }
func (c Celsius) String() string               { return fmt.Sprintf("%g °C", float64(c.milli)/1000) }

// Words has all methods on the pointer; none of its words is empty.
type Words struct{ list []string }

func (w *Words) MarshalText() ([]byte, error) { return []byte(strings.Join(w.list, " ")), nil }
func (w *Words) UnmarshalText(b []byte) error { w.list = strings.Fields(string(b)); return nil }
func (w *Words) String() string               { return strings.Join(w.list, " ") }

// Appends has AppendBinary alone. Its zero value has no bytes.
type Appends struct{ n uint8 }

func (a Appends) AppendBinary(b []byte) ([]byte, error) {
	return append(b, strings.Repeat("x", int(a.n))...), nil
}

func (a *Appends) UnmarshalBinary(b []byte) error {
	if strings.Trim(string(b), "x") != "" || len(b) > 255 {
		return errors.New("not only x")
	}
	a.n = uint8(len(b))
	return nil
}

// AppendsText has AppendText alone, on the pointer.
type AppendsText []string

func (a *AppendsText) AppendText(b []byte) ([]byte, error) {
	return append(b, strings.Join(*a, ",")...), nil
}

func (a *AppendsText) UnmarshalText(b []byte) error {
	*a = nil
	if len(b) > 0 {
		*a = strings.Split(string(b), ",")
	}
	return nil
}

// Slug is a string, Flags a map, Opaque generic; all custom.
type Slug string

func (s Slug) MarshalText() ([]byte, error) { return []byte("/" + string(s)), nil }

func (s *Slug) UnmarshalText(b []byte) error {
	text, ok := strings.CutPrefix(string(b), "/")
	if !ok {
		return errors.New("no slug")
	}
	*s = Slug(text)
	return nil
}

type Flags map[string]bool

func (f Flags) MarshalText() ([]byte, error) {
	return []byte(strings.Join(slices.Sorted(maps.Keys(f)), ",")), nil
}

func (f *Flags) UnmarshalText(b []byte) error {
	*f = Flags{}
	for _, name := range strings.FieldsFunc(string(b), func(r rune) bool { return r == ',' }) {
		(*f)[name] = true
	}
	return nil
}

type Opaque[T ~int64 | ~uint64] struct{ v T }

func (o Opaque[T]) MarshalBinary() ([]byte, error) {
	return binary.BigEndian.AppendUint64(nil, uint64(o.v)), nil
}

func (o *Opaque[T]) UnmarshalBinary(b []byte) error {
	if len(b) != 8 {
		return errors.New("not 8 bytes")
	}
	o.v = T(binary.BigEndian.Uint64(b))
	return nil
}

// Grade is a scalar all the same.
type Grade int8

func (g Grade) MarshalText() ([]byte, error)  { return []byte{'A' + byte(g)}, nil }
func (g *Grade) UnmarshalText(b []byte) error { *g = Grade(b[0] - 'A'); return nil }

// Stamped and Host embed types that marshal themselves, which does not make them
// such types: they are structs.
type Stamped struct {
	time.Time
	Note string
	N    int32
}

type Host struct {
	Port uint16
	netip.Addr
}

type HostPointer struct {
	*netip.Addr
	Port uint16
}

// Overrider embeds such a type and has methods of its own.
type Overrider struct {
	UUID
	Name string
}

func (o Overrider) MarshalText() ([]byte, error)  { return []byte(o.Name), nil }
func (o *Overrider) UnmarshalText(b []byte) error { *o = Overrider{Name: string(b)}; return nil }

// HalfOverrider has one method of its own, and the other from what it embeds.
type HalfOverrider struct {
	UUID
	Name string
}

func (h HalfOverrider) MarshalText() ([]byte, error) { return []byte(h.Name), nil }

// Fallen embeds a pair for bytes that does not count, and has one for text that does.
type Fallen struct {
	Celsius
	Name string
}

func (f Fallen) MarshalText() ([]byte, error)  { return []byte(f.Name), nil }
func (f *Fallen) UnmarshalText(b []byte) error { f.Name = string(b); return nil }

// Customs has each custom type in each place.
type Customs struct {
	Addr     netip.Addr
	Prefix   netip.Prefix
	Big      big.Int
	PBig     *big.Int
	URL      url.URL
	PURL     *url.URL
	UUID     UUID
	PUUID    *UUID
	PPUUID   **UUID
	Celsius  Celsius
	Words    Words
	PWords   *Words
	Appends  Appends
	Text     AppendsText
	Slug     Slug
	PSlug    *Slug
	Flags    Flags
	Opaque   Opaque[int64]
	Grade    Grade
	PGrade   *Grade
	UUIDs    []UUID
	Temps    [2]Celsius
	ManyText []Words
	Pointers []*Words
	ByUUID   map[UUID]Words
	ByAddr   map[netip.Addr]*Words
	Nested   []struct {
		A UUID
		B int8
		C []Slug
	}
}

// customs makes values of the custom types out of numbers.
var customs = map[reflect.Type]func(x uint64) any{
	reflect.TypeFor[netip.Addr](): func(x uint64) any { return oddAddrs[x%uint64(len(oddAddrs))] },
	reflect.TypeFor[netip.Prefix](): func(x uint64) any {
		return netip.PrefixFrom(oddAddrs[x%uint64(len(oddAddrs))].WithZone(""), int(x>>8%33))
	},
	reflect.TypeFor[big.Int]():     func(x uint64) any { return *new(big.Int).Lsh(big.NewInt(int64(x)), uint(x%100)) },
	reflect.TypeFor[url.URL]():     func(x uint64) any { return *must(url.Parse(oddURLs[x%uint64(len(oddURLs))])) },
	reflect.TypeFor[UUID]():        func(x uint64) any { return UUID{byte(x), 15: byte(x >> 4)} },
	reflect.TypeFor[Celsius]():     func(x uint64) any { return Celsius{int32(x)} },
	reflect.TypeFor[Words]():       func(x uint64) any { return Words{[]string{"a", "b", "c"}[:x%4]} },
	reflect.TypeFor[Appends]():     func(x uint64) any { return Appends{uint8(x % 20)} },
	reflect.TypeFor[AppendsText](): func(x uint64) any { return AppendsText{"x", "yy", "zzz"}[:x%4] },
	reflect.TypeFor[Slug]():        func(x uint64) any { return Slug(oddStrings[x%uint64(len(oddStrings))]) },
	reflect.TypeFor[Flags]():       func(x uint64) any { return []Flags{{}, {"a": true}, {"b": true, "c": true}}[x%3] },
	reflect.TypeFor[Opaque[int64]](): func(x uint64) any {
		return Opaque[int64]{int64(x)}
	},
	reflect.TypeFor[Overrider](): func(x uint64) any { return Overrider{Name: fmt.Sprint(x % 1000)} },
	reflect.TypeFor[Fallen]():    func(x uint64) any { return Fallen{Name: fmt.Sprint(x % 1000)} },
}

var oddAddrs = []netip.Addr{
	{}, netip.MustParseAddr("0.0.0.0"), netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("::"), netip.MustParseAddr("2001:db8::1"),
	netip.MustParseAddr("fe80::1%eth0"), netip.MustParseAddr("::ffff:192.0.2.1"),
}

var oddURLs = []string{"", "https://example.com/a%20b?c=d#e", "mailto:x@example.com", "//user:pass@host:80/", "/path"}
