// Package compat is for types that change while programs of several versions exchange messages.
//
// The header of a message says by a fingerprint of which schema it is (SPEC §6.3). Who reads messages of another
// schema than its own type's needs the description of that schema, once. This package sees to it that it gets
// there, and reads such messages; the messages themselves are those of package format, byte for byte, and those
// of the reader's own schema are read as fast.
//
// # Streams
//
// An [Encoder] writes values of any types to a stream, and the description of each before its first message. A
// [Decoder] reads them into what the reader has for them:
//
//	e := compat.NewEncoder(conn)
//	err := e.Encode(&frame)
//
//	d := compat.NewDecoder(conn)
//	var frame Frame // a new one for each message: what a message does not have, it keeps
//	err := d.Decode(&frame)
//
// A schema has no name, so the reader must know what comes next, as with encoding/gob: types follow each other as
// both sides have agreed, or each value is in an envelope, struct{ V any }, of registered types.
//
// # Files
//
// [AppendTo] gives an Encoder that writes into a mapped file, behind what is there. Values are encoded where they
// stay; descriptions go into the file too, so that it is read without anything else, and not twice, whoever wrote
// them. A writer that is killed loses the value that it was about to write and nothing else. [Registry.Messages]
// goes through such a file, and a [Reader] reads its messages in place:
//
//	w, err := buffer.Append(path, 1<<30)
//	e, err := compat.AppendTo(w)
//	err = e.Encode(&frame)
//
//	file, err := buffer.Open(path)
//	registry := compat.NewRegistry(compat.Limits{})
//	frames, err := compat.For[Frame](registry)
//	err = file.Guard(func(b []byte) error {
//		for msg, err := range registry.Messages(b) {
//			var frame Frame
//			if err == nil {
//				err = frames.DecodeAlias(msg, &frame)
//			}
//			...
//		}
//	})
//
// A file is a stream that is at rest: a Decoder reads it as well.
//
// # Messages alone
//
// Where messages come one by one, over a channel or from a store, a [Registry] is given the descriptions by
// [Registry.Add] or [Registry.AddMessage], before or after the messages, and a [Reader] reads them.
//
// # What may change
//
// Fields are matched by name, wherever they stand; those that the other side does not have are passed over. A
// field may be renamed with an alias in its tag, which helps the new version alone: to keep both directions
// rename the Go field and leave the schema's name, `ashlar:"OldName"`. Numbers may become larger or smaller,
// values pointers: format.EvolvedFor says what can become what, and what a field becomes that the writer does
// not have. A type that is new in an interface is an error to programs that have not registered it, unless they do
// not have the field.
//
// [Check] tells what a change of a type means for messages of both versions; the command ashlar-check does so for
// files.
//
//	old, err := os.ReadFile("frame.v1")   // what Describe gave for the type as it was
//	new, err := compat.Describe[Frame]()
//	changes, err := compat.Check(old, new)
//
// # Relays
//
// A program that passes messages on, and has an older version of their type, loses nothing if the structs in it have a
// field for what they do not know:
//
//	type Frame struct {
//		Time int64
//		Rest format.Unknown `ashlar:",unknown"`
//	}
//
//	d := compat.NewDecoder(in)
//	e := compat.NewEncoder(out, compat.WithRegistry(d.Registry()))
//	err := d.Decode(&frame) // of any version
//	frame.Time++
//	err = e.Encode(&frame) // under the description that it came with
//
// The registry has the descriptions of values in interfaces whose types the program does not have. [Reader.Append] and
// [Reader.Encode] do the same for messages alone. A value that is made anew, whose Unknown is empty, is written under
// the type's own schema. Parts of messages of several schemas do not go together: format.ErrSchema, with the path.
//
// # Lifetime
//
// Descriptions are copied: nothing of this package refers to the bytes that it was given. What DecodeAlias fills
// points into the message, and is good as long as that is: in a file, until its Buffer is closed.
//
// # Hostile input
//
// A description may come from anybody. One that breaks a limit of [Limits], or is none, is an error and
// leaves nothing behind (SPEC §6.4), and another one for a fingerprint that is known is an error too. What a
// description leads to is bounded: a Reader or Decoder keeps a codec for each that its registry has.
package compat
