package compat

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A path is a step and those above it; nil is the root.
type path struct {
	above *path
	step  string
	depth int
}

func (p *path) add(step string) *path {
	if p == nil {
		return &path{nil, step, 1}
	}
	return &path{p, step, p.depth + 1}
}

// field adds the step to a field. A name that Go could not have stands in quotes: it may come from anybody
// and go to a terminal.
func (p *path) field(name string) *path {
	for _, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == unicode.ReplacementChar {
			return p.add(strconv.Quote(name))
		}
	}
	return p.add(name)
}

// pathEnd is how many steps are kept at each end of a long path.
const pathEnd = 20

func (p *path) String() string {
	var steps []string // from the last
	for q := p; q != nil; q = q.above {
		if q.depth > pathEnd && q.depth <= p.depth-pathEnd {
			if q.depth == pathEnd+1 {
				steps = append(steps, fmt.Sprintf("...(%d more)", p.depth-2*pathEnd))
			}
			continue
		}
		steps = append(steps, q.step)
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		if b.Len() > 0 && steps[i][0] != '[' && steps[i][0] != '.' {
			b.WriteByte('.')
		}
		b.WriteString(steps[i])
	}
	return b.String()
}
