package expr

import (
	"errors"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// Expressions of one column that are no chain of operations over dictionaries, as there is a lambda, a list or CASE in them, are
// evaluated once for each entry of the column's dictionary, too.

// mostLooked is how many parts of an expression are looked at: statements have long ones.
const mostLooked = 200

// byDictionary is the column on which e is worth to be evaluated by entries; nil if there is none.
func byDictionary(e Expr) *Column {
	if t := e.Type(); t.Storage() == vector.StoreNested || t.Kind == vector.Null {
		return nil
	}
	var column *Column
	left, fits, gains := mostLooked, true, false
	bound := map[int]bool{} // slots of the parameters of lambdas within e
	Walk(e, func(n Expr) bool {
		if left--; left < 0 {
			fits = false
			return false
		}
		gains = gains || n.Type().Storage() == vector.StoreNested
		switch n := n.(type) {
		case *Column:
			fits = fits && (column == nil || column.Index == n.Index) && !n.T.IsNested() && n.T.Storage() != vector.StoreNested
			column = n
			return fits
		case *LambdaParam:
			fits = fits && bound[n.Slot]
			return fits
		case *Lambda:
			for _, p := range n.Params {
				bound[p.Slot] = true
			}
			gains = true
		case *Call:
			fits = fits && !n.Function.Volatile
			gains = gains || n.impl.Node != nil
		case *Case, *Coalesce:
			gains = true
		}
		return fits
	})
	if !fits || !gains {
		return nil
	}
	return column
}

// dictionaryNode evaluates an expression for the entries of a column's dictionary, once as many rows were asked for as there are entries.
type dictionaryNode struct {
	inner  kernel.Node
	column int
	typ    vector.Type // of the column
	result vector.Type

	dict   *vector.Vector
	seen   int            // rows that were asked for
	failed bool           // an entry raised an error; perhaps no row has it, so evaluate row by row
	made   *vector.Vector // the result of each entry, and that of NULL behind them; others may read it, so it stays as it is
	kept   int64          // bytes of made, as the meter knows them
	ofNull bool           // made has that of NULL, or the result is NULL where the column is, and nowhere else
	cols   []*vector.Vector
	codes  []int32
	null   []int32 // memory of the rows that are NULL
	view   vector.Vector
	flat   vector.Vector
}

// Eval implements kernel.Node.
func (n *dictionaryNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	v := f.Cols[n.column]
	if v.Form != vector.Dictionary {
		return n.inner.Eval(f, rows)
	}
	if n.dict != v.Dict {
		f.Meter.Keep(-n.kept)
		n.dict, n.seen, n.failed, n.made, n.kept, n.ofNull = v.Dict, 0, false, nil, 0, false
	}
	n.seen += kernel.CountRows(rows, f.N)
	nulls := v.MayHaveNulls()
	if !n.failed && n.seen >= v.Dict.Len && (n.made == nil || nulls && !n.ofNull) {
		if n.failed = n.make(f, nulls) != nil; n.failed {
			n.made = nil
		}
	}
	if n.failed || n.made == nil {
		return n.inner.Eval(f, rows)
	}
	if n.made.Valid == nil && n.made.Len == v.Dict.Len {
		n.view = vector.Vector{Type: n.made.Type, Form: vector.Dictionary, Len: f.N, Valid: v.Valid, Codes: v.Codes, Dict: n.made}
		return &n.view, nil
	}
	// Entries of dictionaries are never NULL.
	if !nulls && rows == nil {
		return &n.flat, n.flat.Gather(n.made, v.Codes[:f.N])
	}
	n.codes = vector.Resize(n.codes, f.N)
	if rows == nil {
		copy(n.codes, v.Codes)
	} else {
		clear(n.codes)
		for _, i := range rows {
			n.codes[i] = v.Codes[i]
		}
	}
	if nulls {
		n.null = vector.Resize(n.null, f.N)
		for _, i := range v.Valid.Select(rows, f.N, false, n.null) {
			n.codes[i] = int32(v.Dict.Len)
		}
	}
	return &n.flat, n.flat.Gather(n.made, n.codes)
}

// errKept says that the results of all entries are too much to be kept.
var errKept = errors.New("too many results of the entries of a dictionary")

// make evaluates the expression for all entries.
func (n *dictionaryNode) make(f *kernel.Frame, nulls bool) error {
	least := int64(n.dict.Len) * 8
	if !f.Meter.Keep(least) {
		return errKept
	}
	f.Meter.Keep(-least)
	made := vector.New(n.result, 0)
	n.cols = vector.Resize(n.cols, len(f.Cols))
	clear(n.cols)
	eval := func(entries *vector.Vector) (*vector.Vector, error) {
		n.cols[n.column] = entries
		return n.inner.Eval(&kernel.Frame{Cols: n.cols, N: entries.Len, Meter: f.Meter}, nil)
	}
	for from := 0; from < n.dict.Len; from += vector.BatchSize {
		var part vector.Vector
		part.Slice(n.dict, from, min(vector.BatchSize, n.dict.Len-from))
		v, err := eval(&part)
		if err != nil {
			return err
		}
		if err := made.Append(v, nil); err != nil {
			return err
		}
	}
	if nulls {
		v, err := eval(vector.NewConstant(vector.NullOf(n.typ), 1))
		if err != nil {
			return err
		}
		if made.Len == 0 || made.Valid != nil || !v.IsNull(0) {
			if err := made.Append(v, nil); err != nil {
				return err
			}
		}
	}
	f.Meter.Keep(-n.kept)
	if n.kept = made.Bytes() + made.TextBytesOf(0, made.Len); !f.Meter.Keep(n.kept) {
		n.kept = 0
		return errKept
	}
	// What keeps the texts of the entries keeps those that were made of them.
	made.Lease = n.dict.Lease
	n.made, n.ofNull = made, nulls
	return nil
}
