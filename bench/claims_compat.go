package main

import (
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// compatChapters are the claims about readers that may meet other schemas.
var compatChapters = []chapter{
	{"deserialize by compat.Reader, the same schema", sameSchemaClaims()},
	{"deserialize another version", evolvedClaims()},
	{"deserialize another version, PRIMITIVE_ARRAY", []claim{alias(suite.PrimitiveArray, suite.EvolvedAlias, 1.2)}},
}

// Either of these more than without compat is what it may cost.
const (
	lookNanoseconds = 3
	lookPart        = 0.05
)

func sameSchemaClaims() []claim {
	return modeClaims(suite.Compatible, func(text string, name, base suite.Name) claim {
		c := claim{text: text + " consistent + 3 ns or 5%", bound: 1}
		c.ratios = func(r *report, buffer string) []float64 {
			name.Buffer, base.Buffer = buffer, buffer
			got, allowed := r.Times(name), r.Times(base)
			n := min(len(got), len(allowed))
			most := make([]float64, n)
			for i := range most {
				most[i] = max(allowed[i]+lookNanoseconds, allowed[i]*(1+lookPart))
			}
			return measure.Ratios(got[:n], most)
		}
		return c
	})
}

func evolvedClaims() []claim {
	var claims []claim
	for _, mode := range suite.Edits {
		claims = append(claims, modeClaims(mode, func(text string, name, base suite.Name) claim {
			return atMost(1.5, mode+": "+text+" consistent", name, base)
		})...)
	}
	return claims
}

// modeClaims makes a claim of each way to read an object in a mode, held against the
// consistent one.
func modeClaims(mode string, of func(text string, name, base suite.Name) claim) []claim {
	var claims []claim
	for _, data := range []string{suite.Struct, suite.MediaContent, suite.Sample} {
		for _, way := range []string{suite.Copy, suite.Reuse, suite.Alias} {
			base := objectCase(suite.Deserialize, data, way, suite.Ashlar)
			name := base
			name.Mode = mode
			claims = append(claims, of(data+" "+way+" /", name, base))
		}
	}
	return claims
}
