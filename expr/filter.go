package expr

import (
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// Filter narrows batches to the rows where a condition is TRUE. Conjuncts run in the
// order written, each only over the rows that the ones before it selected. A Filter
// belongs to one goroutine.
type Filter struct {
	// Meter bounds what is made of a batch, which is evaluated in parts where that is
	// too much. It is nil where an evaluation makes little.
	Meter *quota.Meter

	e         Expr
	list      []Expr            // its conjuncts
	conjuncts []kernel.Selector // nil before the first batch
	brief     bool
	f         kernel.Frame
	rows      []int32
	parts     Parts
	united    []int32 // the result of several parts
}

// NewFilter prepares the condition e.
func NewFilter(e Expr) *Filter {
	return &Filter{e: e}
}

// NewBriefFilter is NewFilter for one of very many, which keeps no memory between batches.
func NewBriefFilter(e Expr) *Filter {
	return &Filter{conjuncts: []kernel.Selector{brief{e}}, brief: true}
}

// Within sets the meter and returns f.
func (f *Filter) Within(m *quota.Meter) *Filter {
	f.Meter = m
	return f
}

// Apply narrows b.Sel to the rows where the condition is TRUE. The selection
// is valid until the filter's next Apply. It stays nil if the batch had no
// selection and every row passes.
func (f *Filter) Apply(b *vector.Batch) error {
	if f.brief {
		// The batch alone has the selection: thousands of filters would each keep one.
		defer func() {
			f.rows, f.united = nil, nil
			f.parts.Forget()
		}()
	}
	f.parts.Start(b)
	f.united = f.united[:0]
	for {
		err := f.parts.Next(func(part *vector.Batch) error {
			f.Meter.Start(part.Rows())
			return f.apply(part)
		})
		if err != nil {
			return err
		}
		rows := f.parts.Selection()
		if !f.parts.More() && len(f.united) == 0 {
			b.Sel = rows
			return nil
		}
		if f.united = append(f.united, rows...); !f.parts.More() {
			b.Sel = f.united
			return nil
		}
	}
}

func (f *Filter) compile() error {
	by := newCompiler(f.Meter)
	f.list = Unite(Conjuncts(f.e))
	for i, c := range f.list {
		if i < KeptOperands {
			f.conjuncts = append(f.conjuncts, kernel.AsSelector(by.Node(c)))
		} else {
			f.conjuncts = append(f.conjuncts, brief{c})
		}
	}
	return by.err
}

func (f *Filter) apply(b *vector.Batch) error {
	if f.conjuncts == nil {
		if err := f.compile(); err != nil {
			f.conjuncts = nil
			return err
		}
	}
	f.f = kernel.Frame{Cols: b.Cols, N: b.Len, Meter: f.Meter}
	f.rows = vector.Resize(f.rows, max(b.Len, 1))
	rows := b.Sel
	for i, c := range f.conjuncts {
		selected, err := c.Select(&f.f, rows, f.rows)
		if err != nil && f.list != nil {
			return source{f.list[i]}.Explain(err)
		} else if err != nil {
			return err
		}
		if rows != nil || len(selected) < b.Len {
			rows = selected
		}
		if len(selected) == 0 {
			break
		}
	}
	b.Sel = rows
	return nil
}
