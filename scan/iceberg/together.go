package iceberg

import (
	"github.com/parquetsql/parquetsql/expr/probe"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/vector"
)

// fewFiles are tested one by one.
const fewFiles = 8

// togetherBytes is about what a summary takes that stays.
const togetherBytes = 500

// knownOf has what is known of the rows of a manifest; nil: nothing. Of one that was read it is what is
// known of its files: a condition that rules out most of very many files tests manifests first.
func (v *Version) knownOf(n int) func(int) *probe.Summary {
	p := v.planned
	p.mu.Lock()
	list := p.lists[n]
	p.mu.Unlock()
	listed := p.known[n]
	if len(list) < fewFiles {
		return listed
	}
	return func(column int) *probe.Summary {
		s := v.together(n, list, column)
		if listed == nil {
			return s
		}
		l := listed(column)
		if s == nil || l == nil || l.Bloom == nil {
			return s
		}
		out := *s
		out.Bloom = l.Bloom
		return &out
	}
}

// together is what is known of a column in the files of a manifest; nil: nothing. It is made once, as long
// as there is room for it.
func (v *Version) together(n int, list []*files.File, column int) *probe.Summary {
	p := v.planned
	key := manifestColumn{n, column}
	p.mu.Lock()
	known, ok := p.together[key]
	p.mu.Unlock()
	if ok {
		return known
	}
	s := union(list, column)
	if v.budget.Reserve(togetherBytes) == nil {
		p.mu.Lock()
		p.together[key] = s
		p.mu.Unlock()
	}
	return s
}

// manifestColumn is a column in the files of a manifest, by their places.
type manifestColumn struct{ manifest, column int }

// union is what is known of a column in several files; nil: nothing. A file that has nothing but NULLs has
// no bounds, and needs none.
func union(list []*files.File, column int) *probe.Summary {
	all := make([]*probe.Summary, len(list))
	for i, f := range list {
		if all[i] = f.Bounds(column); all[i] == nil {
			return nil
		}
	}
	return unionOf(all)
}

// unionOf is what several summaries say of all rows.
func unionOf(all []*probe.Summary) *probe.Summary {
	out := &probe.Summary{}
	low, high := true, true // each has one
	for _, b := range all {
		out.Rows += b.Rows
		out.MayHaveNaN = out.MayHaveNaN || b.MayHaveNaN
		switch {
		case b.Nulls < 0 || out.Nulls < 0:
			out.Nulls = -1
		default:
			out.Nulls += b.Nulls
		}
		if b.Nulls == b.Rows {
			continue
		}
		low, high = low && b.Min != nil, high && b.Max != nil
		if low {
			out.Min = extreme(out.Min, b.Min, -1)
		}
		if high {
			out.Max = extreme(out.Max, b.Max, 1)
		}
	}
	if !low {
		out.Min = nil
	}
	if !high {
		out.Max = nil
	}
	return out
}

// extreme is the lesser (sign -1) or the greater of two values.
func extreme(a, b *vector.Scalar, sign int) *vector.Scalar {
	if a == nil || b.Compare(a)*sign > 0 {
		return b
	}
	return a
}
