// Package format writes Go values as Ashlar messages and reads them where they lie.
//
// A message is one contiguous run of bytes that holds a value and all that it refers to, laid out so
// that numbers, strings and arrays can be used in place. There is no schema compiler: the layout
// follows from the Go type. SPEC.md, beside this file, defines the bytes.
//
//	type Frame struct {
//		Time    int64
//		Source  string
//		Samples []float32
//	}
//
//	codec := format.MustFor[Frame]()
//	msg, err := codec.Append(nil, &frame)  // or Encode, into a buffer.Buffer
//	err = codec.DecodeAlias(msg, &frame)   // Samples now points into msg
//
// # Three ways to read
//
//   - [Codec.Decode] copies: the value owns everything that it refers to.
//   - [Codec.DecodeReuse] copies into the memory that the value holds already.
//   - [Codec.DecodeAlias] copies as little as possible: strings, slices of numbers and the like point
//     into the message.
//
// # Lifetime
//
// What DecodeAlias fills points into the message and must only be read. It is good as long as the
// message's memory is mapped and unchanged: until the slice is reused, until Reset or Close of the
// [buffer.Buffer] that holds it. Go's garbage collector keeps a message on the heap alive for as long
// as anything points into it; it knows nothing of memory outside the heap. Copy what must live longer.
//
// What Decode and DecodeReuse fill is independent of the message.
//
// # One field, without decoding
//
// A [View] is a message where it lies, and a [Handle], made once from a path, reads a field of it in nanoseconds: a
// number, a string or a slice over the message, a part of it. Nothing is decoded, copied or allocated.
//
//	source := format.MustField[string](codec, "Source")
//	samples := format.MustField[[]float32](codec, "Samples")
//
//	view, err := codec.View(msg)
//	name, err := source.Get(view)
//
// Lists are gone through by index or by [Handle.All], maps are searched in place ([Map]). The same handles read
// messages of another schema, which a codec of [EvolvedFor] views. A view is good as long as the message, as above.
//
// # Building in place
//
// A [Builder] makes a message in a buffer, part by part and in any order, with the same handles. A slice that is made
// is over the buffer, to be filled in: the numbers are never anywhere else.
//
//	b, err := codec.Build(buf)
//	err = source.Set(b.Root(), "left")
//	s, err := samples.Make(b.Root(), 4096) // []float32
//	msg, err := b.Finish()
//
// [Codec.Edit] changes numbers of a finished message where they are.
//
// # What can be written
//
// Bools, integers (int and uint as 64 bits), floats, complex numbers, strings, time.Time, and slices,
// arrays, structs, maps, pointers and interfaces of these in any nesting, recursive types included. Nil and
// empty are told apart. Fields that are not exported are skipped, and so are those tagged
//
//	`ashlar:"-"`
//
// Reading leaves a skipped field as it is where the value around it is read into, which DecodeReuse does by
// the place in a slice, and zero where that is new.
//
// A field tagged `ashlar:"name"` has that name in the schema, so that the Go name may change and the schema stay.
// Behind the name, which may be left out, is what matters to readers of messages of another version alone (see
// [EvolvedFor]): alias=old, as often as needed, for names that the field has had, and at the end default=value,
// for bools, numbers, strings and durations, where the writer has no such field:
//
//	`ashlar:"rate,alias=speed,alias=velocity,default=1.5"`
//	`ashlar:",default=5s"`
//
// What cannot be written (channels,
// functions, uintptr) is refused when the codec is made, with the path of the field: never later.
//
// Maps are written in the order of their keys, so that equal maps are the same bytes. A key must not be
// NaN, and must not be or hold a pointer, a time or a struct with fields that are skipped. DecodeReuse and
// DecodeAlias empty the map that is there and fill it.
//
// A value in an interface has a type that [Register] knows, under a name that both sides use; the types of
// Go itself and the usual slices and maps of them are known from the start (SPEC §3.8).
//
// A time keeps its instant and its zone's offset from UTC. The zone's name and rules are lost (a time in
// "Europe/Berlin" comes back in a zone without a name that is one or two hours east), and so is a monotonic
// reading; an offset of zero comes back as UTC.
//
// A type with MarshalBinary or AppendBinary and UnmarshalBinary, or else the three for text, is written as
// those bytes: netip.Addr, big.Int, url.URL. Methods that are promoted from an embedded field do not count:
// such a struct is written field by field. Numbers and bools with such methods stay what they are. A panic
// of a method is an error.
//
// # Shared references
//
// What two pointers share is written twice, and a value that refers to itself is [ErrCycle], unless the
// codec has [WithRefs]: then graphs come back as they were.
//
// # Descriptions
//
// The fingerprint in a message's header is that of its type's description, a byte string (SPEC §6). A [Schema]
// is one that can be printed and compared; [AppendDescription] writes it as a message of its own, for a reader
// whose Go type may be another. Package compat builds on it.
//
// # What a program does not know
//
// A program that reads messages of a newer version of its type, and passes them on, keeps the fields that it does
// not have in a field of type [Unknown] of each struct, tagged
//
//	`ashlar:",unknown"`
//
// and writes them with the others, see [EvolvedFor].
//
// # Hostile input
//
// Bytes are not trusted. Whatever msg holds, reading it gives an error or a value: no panic, no read
// outside of msg, no loop, and no more than 64 KiB + [Codec.Expansion]·len(msg) bytes of memory. This
// holds for aliasing decodes too, as long as nobody changes msg meanwhile.
//
// # The build without unsafe
//
// The build tag purego, and machines that are big-endian or cannot read memory at odd addresses, use
// reflection instead of unsafe: the bytes are the same, DecodeAlias copies, and everything is slower.
package format
