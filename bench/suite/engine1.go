//go:build !engine2

package suite

// What the engine cannot do yet has no cases.

func mediaRefs(op, kind string) []Case  { return nil }
func sampleRefs(op, kind string) []Case { return nil }
func mapCases(op, kind string) []Case   { return nil }

func gathering[T any](l library[T]) library[T] { return l }
