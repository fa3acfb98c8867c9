package order

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/rows/rowstore"
	"github.com/parquetsql/parquetsql/vector"
)

// Rows of partitions need not be in the order of the partitions: those of one only have to be beside each other. Where
// their keys are texts, a table gives numbers to them, and these are sorted: they are shorter, and have no prefix in
// common.
//
//	2, 4 bytes of the number, and the terms of the order
//	3, zeros, and all terms, once the table gets no more keys: of those that it does not have
const (
	// tableShare is the part of the memory limit that the table may take, and tableBytes the most.
	tableShare = 8
	tableBytes = 256 << 20
)

// partitionKeys numbers the partitions of an encoder.
type partitionKeys struct {
	n      int // terms of the partition: the first ones
	rest   *keyEncoder
	table  hashtable.Table
	finder hashtable.Finder // not nil: the table gets no more keys
	budget *quota.Budget
	held   int64

	column int           // of the rows: the key, if that is one column of texts; -1: another key
	texts  vector.Vector // of the table, instead of the column of the last batch, if same
	same   bool

	ids     []uint32
	sel     []int32
	number  vector.Vector
	null    *vector.Vector
	numbers []*vector.Vector // the number, and the terms of the order
	terms   []*vector.Vector // NULL, and all terms
}

// NewPartitioned sorts rows as NewSort does, but the first n keys are in any order that has rows with equal ones beside each other.
func NewPartitioned(env exec.Env, in []exec.Operator, keys []expr.SortKey, n int) exec.Operator {
	s := newSort(env, in, keys)
	if len(in) == 1 && numbersPay(keys[:n]) {
		s.partition = n
	}
	return s
}

// numbersPay reports whether numbers are sorted faster than the keys of partitions.
func numbersPay(keys []expr.SortKey) bool {
	texts := false
	for _, k := range keys {
		t := k.Expr.Type()
		if _, ordered := k.Expr.(*expr.Ordered); ordered || t.Storage() == vector.StoreNested || t.Storage() == vector.StoreNone {
			return false
		}
		texts = texts || t.Storage() == vector.StoreString
	}
	return texts
}

// newPartitionEncoder is an encoder of keys of which the first n are those of partitions.
func newPartitionEncoder(env exec.Env, keys []expr.SortKey, n int) (*keyEncoder, error) {
	all, err := newKeyEncoder(env, keys)
	if err != nil {
		return nil, err
	}
	number := expr.SortKey{Expr: expr.NewColumn(0, "partition", vector.Of(vector.Integer))}
	width := 1 + termWidth(number.Expr.Type())
	p := &partitionKeys{n: n, rest: &keyEncoder{}, budget: env.Budget, null: vector.NewConstant(vector.NullOf(number.Expr.Type()), 0)}
	*p.rest = *all
	p.rest.keys, p.rest.fixed = append([]expr.SortKey{number}, keys...), all.fixed+width
	e := &keyEncoder{keys: append([]expr.SortKey{number}, keys[n:]...), exprs: all.exprs, meter: all.meter, fixed: width, partition: p}
	var types []vector.Type
	for i, k := range keys {
		t := k.Expr.Type()
		if i < n {
			types = append(types, t)
			continue
		}
		e.fixed += 1 + termWidth(t)
		e.vary = e.vary || t.Storage() == vector.StoreString
	}
	p.table, p.column = hashtable.New(types, hashtable.NewSeed(), false), -1
	if c, ok := keys[0].Expr.(*expr.Column); ok && n == 1 && c.Type().Storage() == vector.StoreString {
		p.column = c.Index
	}
	return e, nil
}

// end forgets the table: no more rows come.
func (p *partitionKeys) end() {
	p.budget.Release(p.held)
	p.held, p.table, p.finder = 0, nil, nil
}

// charge pays for the table, and ends its growth where that is too large.
func (p *partitionKeys) charge() {
	bytes, most := p.table.Bytes(), int64(tableBytes)
	if limit := p.budget.Limit(); limit > 0 {
		most = min(most, limit/tableShare)
	}
	if bytes <= p.held {
		return
	}
	if bytes > most || p.budget.Reserve(bytes-p.held) != nil {
		p.finder = p.table.NewFinder()
		return
	}
	p.held = bytes
}

// kept is what is kept of a column of the last batch: of the rows of a partition the same text, which is not copied for each, and
// is compared without being read.
func (p *partitionKeys) kept(column int, b *vector.Batch, to *rowstore.Column) (v *vector.Vector, sel []int32) {
	if p == nil || column != p.column {
		return b.Cols[column], b.Sel
	}
	if to.Share = p.same; p.same {
		return &p.texts, nil
	}
	return b.Cols[column], b.Sel
}

// encode appends the keys of the selected rows, as the method of an encoder without partitions does.
func (p *partitionKeys) encode(e *keyEncoder, values []*vector.Vector, b *vector.Batch, k *keyBuf) error {
	if p.finder == nil && b.TextBytes() > longKeys {
		p.finder = p.table.NewFinder() // long texts are not copied once more
	}
	p.ids, p.same = vector.Resize(p.ids, b.Rows()), false
	known := p.finder == nil
	if known {
		if err := p.table.FindOrInsert(values[:p.n], b, p.ids); err != nil {
			return err
		}
		p.charge()
	} else if err := p.finder.Find(values[:p.n], b, p.ids); err != nil {
		return err
	}
	p.number.Reset(vector.Of(vector.Integer), b.Len)
	for i, id := range p.ids {
		p.number.I64[b.Row(i)] = int64(id)
	}
	p.numbers = append(append(p.numbers[:0], &p.number), values[p.n:]...)
	if known {
		if p.column >= 0 && values[0].Form == vector.Flat {
			if err := p.table.Keys(p.ids, []*vector.Vector{&p.texts}); err != nil {
				return err
			}
			p.same = true
		}
		return e.encodeTerms(p.numbers, b, k)
	}
	e.vary = true
	p.null.Len = b.Len
	p.terms = append(append(p.terms[:0], p.null), values...)
	for from := 0; from < len(p.ids); {
		missing, to := p.ids[from] == hashtable.Missing, from
		p.sel = p.sel[:0]
		for to < len(p.ids) && (p.ids[to] == hashtable.Missing) == missing {
			p.sel = append(p.sel, int32(b.Row(to)))
			to++
		}
		enc, terms := e, p.numbers
		if missing {
			enc, terms = p.rest, p.terms
		}
		if err := enc.encodeTerms(terms, &vector.Batch{Len: b.Len, Cols: b.Cols, Sel: p.sel}, k); err != nil {
			return err
		}
		from = to
	}
	return nil
}
