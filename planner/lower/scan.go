package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// bytesPerWorker is how much of a table makes another worker worth its
// goroutine: below it, starting and merging costs more than reading.
const bytesPerWorker = 256 << 10

// request is the scan that a node asks for.
func (b *builder) request(n *logical.Scan) (*reader.Scan, error) {
	t, ok := n.Table.(Table)
	if !ok {
		return nil, errs.Unsupported("scanning %T", n.Table)
	}
	r := scan.Request{
		Filter: n.Filter, Unnested: n.Unnested, Limit: n.Limit, Pruning: b.options.Pruning,
		OnCorruptSkip: b.options.OnCorruptSkip, OnSkip: b.options.OnSkip,
		Budget: b.options.Env.Budget, Parallelism: b.workers(t.Scanned()),
	}
	if first, ok := b.first[n]; ok {
		r.First = &first
	}
	for _, c := range n.Columns {
		r.Columns = append(r.Columns, scan.Projection{Column: c.Column, Fields: c.Fields})
	}
	for _, i := range n.Inner {
		r.Inner = append(r.Inner, scan.Inner{Column: i.Column, Path: i.Path, Type: i.Type})
	}
	s, err := reader.New(b.ctx, t.Scanned(), r)
	if err != nil {
		return nil, err
	}
	b.scans = append(b.scans, Running{n, s})
	return s, nil
}

func (b *builder) workers(t *catalog.Table) int {
	var size int64
	for _, f := range t.Files {
		size += f.Size
	}
	return int(min(int64(b.options.Parallelism), 1+size/bytesPerWorker))
}

// scan is a scan's readers.
func (b *builder) scan(n *logical.Scan) ([]exec.Operator, error) {
	s, err := b.request(n)
	if err != nil {
		return nil, err
	}
	return b.readers(n, s), nil
}

func (b *builder) readers(n *logical.Scan, s *reader.Scan) []exec.Operator {
	ops := make([]exec.Operator, b.workers(n.Table.(Table).Scanned()))
	for i := range ops {
		ops[i] = s.NewReader()
	}
	return ops
}
