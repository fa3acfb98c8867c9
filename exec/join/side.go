package join

import (
	"slices"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// side is the layout of the rows of one side: the keys, then the columns of the input
// that are not a key as they are. So rows can wait, in memory or on disk, and nothing
// is evaluated or kept twice.
type side struct {
	keys  []expr.Expr
	types []vector.Type // of the layout
	rest  []int         // the columns of the input behind the keys
	place []int         // by column of the input: its place in the layout
}

func newSide(schema vector.Schema, keys []expr.Expr) side {
	s := side{keys: keys, place: make([]int, len(schema))}
	for i := range s.place {
		s.place[i] = -1
	}
	for i, k := range keys {
		s.types = append(s.types, k.Type())
		if c, ok := k.(*expr.Column); ok && s.place[c.Index] < 0 && c.T.Equal(schema[c.Index].Type) {
			s.place[c.Index] = i
		}
	}
	for c, at := range s.place {
		if at < 0 {
			s.place[c] = len(s.types)
			s.types = append(s.types, schema[c].Type)
			s.rest = append(s.rest, c)
		}
	}
	return s
}

// find is the place of a value of the input; -1: the layout does not have it.
func (s *side) find(e expr.Expr) int {
	if c, ok := e.(*expr.Column); ok {
		return s.place[c.Index]
	}
	return slices.IndexFunc(s.keys, func(k expr.Expr) bool { return expr.Equal(k, e) })
}

// loader brings batches of a side into its layout. It belongs to one goroutine.
type loader struct {
	*side
	exprs *exec.ExprSet
	parts expr.Parts // of the batch that is being loaded
	out   vector.Batch
}

func newLoader(env exec.Env, s *side) *loader {
	l := &loader{side: s, exprs: exec.NewExprSet(env)}
	for _, k := range s.keys {
		l.exprs.Add(k)
	}
	return l
}

// load returns the rows of b in the layout, or quota.ErrBatchTooLong. They are valid until
// the next call.
func (l *loader) load(b *vector.Batch) (*vector.Batch, error) {
	keys, err := l.exprs.Eval(b)
	if err != nil {
		return nil, err
	}
	l.out.Len, l.out.Sel, l.out.Cols = b.Len, b.Sel, append(l.out.Cols[:0], keys...)
	for _, c := range l.rest {
		l.out.Cols = append(l.out.Cols, b.Cols[c])
	}
	return &l.out, nil
}

// mayHaveNullKeys is false only if hasNullKey is false for all rows of b.
func (j *joiner) mayHaveNullKeys(b *vector.Batch) bool {
	for i, k := range j.Keys {
		if k.Null == hashtable.Equals && b.Cols[i].MayHaveNulls() {
			return true
		}
	}
	return j.ordered() && b.Cols[j.hashed].MayHaveNulls()
}

// hasNullKey reports whether a row, in the layout of its side, has NULL in a key that
// is compared with = or is in Order or Boxes. Such a row has no match.
func (j *joiner) hasNullKey(b *vector.Batch, row int) bool {
	for i, k := range j.Keys {
		if k.Null == hashtable.Equals && b.Cols[i].IsNull(row) {
			return true
		}
	}
	return j.ordered() && anyNull(b.Cols[j.hashed:j.hashed+1], row)
}

// ordered reports whether rows have a value behind the keys that finds candidates.
func (j *joiner) ordered() bool { return j.Order != nil || j.Boxes != nil }

// unique sorts a list and drops repeats.
func unique(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}
