package compat

import "github.com/ashlar-go/ashlar/format"

// View returns a view of msg, which must be one whole message, as [format.Codec.View] does: it looks at the header
// alone, and handles of [format.Field] then read single fields where they lie. Handles read messages of every
// version; fields that the writer does not have are zero, or the default of their tag. The view is good as long as
// msg's memory is there and unchanged.
//
// The errors are those of the codec's View, and ErrSchema as [Reader.Decode] has it.
func (r *Reader[T]) View(msg []byte) (format.View[T], error) {
	c, ok := r.versions.recent(msg)
	if !ok {
		var err error
		if c, err = r.versions.codec(msg); err != nil {
			return format.View[T]{}, err
		}
	}
	return c.View(msg)
}
