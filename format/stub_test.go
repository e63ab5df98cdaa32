//go:build !engine2

package format_test

import "github.com/ashlar-go/ashlar/format"

// engineIsWide says whether the package knows maps, interfaces, times, custom types
// and shared references.
const engineIsWide = false

func registerType[T any](string) {}

func withRefs() []format.Option { return nil }
