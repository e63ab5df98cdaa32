package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// valueChapters are the claims about what values there can be.
var valueChapters = []chapter{
	{"MEDIA_CONTENT with references", refsClaims()},
	{"serialize by gather", gatherClaims()},
	{"serialize MAP", mapClaims()},
}

// refsClaims are about what it costs to keep track of references.
func refsClaims() []claim {
	var claims []claim
	// Not reuse and alias: with references on what is pointed to is always new.
	for _, c := range [][2]string{{suite.Serialize, suite.Contiguous}, {suite.Deserialize, suite.Copy}} {
		op, way := c[0], c[1]
		off := objectCase(op, suite.MediaContent, way, suite.Ashlar)
		on := off
		on.Refs = suite.RefsOn
		claims = append(claims, atMost(1.6, op+" "+way+", on / off", on, off))
	}
	return claims
}

// gatherClaims say that what is referred to is not touched.
func gatherClaims() []claim {
	var claims []claim
	for _, data := range []string{suite.PrimitiveArray, suite.Buffer, suite.BufferStruct} {
		name := func(n int, way string) suite.Name {
			name := arrayCase(suite.Serialize, n, way, suite.Ashlar)
			name.Data = data
			return name
		}
		claims = append(claims, atMost(1.2, data+", n=5000 / n=1000", name(5000, suite.Gather), name(1000, suite.Gather)))
	}
	large := arrayCase(suite.Serialize, 5000, suite.Gather, suite.Ashlar)
	return append(claims, atMost(0.1, suite.PrimitiveArray+", n=5000 / contiguous", large, large.With(suite.Contiguous, suite.Ashlar)))
}

// mapClaims bound what Ashlar adds to collecting, sorting and copying entries.
func mapClaims() []claim {
	var claims []claim
	for _, kind := range []string{suite.StringInt64, suite.Int64Float64, suite.StringString} {
		for _, n := range suite.MapSizes {
			name := suite.Name{
				Bench: suite.Maps, Op: suite.Serialize, Data: suite.Map, Type: kind, N: n,
				Way: suite.Contiguous, Lib: suite.Ashlar,
			}
			claims = append(claims, atMost(1.3, fmt.Sprintf("%s / reflect-sort, n=%d", kind, n),
				name, name.With(suite.Contiguous, suite.ReflectSort)))
		}
	}
	return claims
}
