package format_test

import "github.com/ashlar-go/ashlar/format"

// engineIsWide says whether the package knows maps, interfaces, times, custom types
// and shared references.
const engineIsWide = true

func registerType[T any](name string) { format.Register[T](name) }

func withRefs() []format.Option { return []format.Option{format.WithRefs()} }

func init() {
	for _, b := range testBoxes() {
		b.register()
	}
}
