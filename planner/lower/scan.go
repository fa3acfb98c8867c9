package lower

import (
	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
)

// bytesPerWorker is the size of a table per worker. For fewer bytes, starting
// another worker and merging its rows costs more than it saves.
const bytesPerWorker = 256 << 10

// fewRows is how many rows one worker reads as soon as several do.
const fewRows = 64 << 10

// request starts the scan of a node. It also returns the table.
func (b *builder) request(n *logical.Scan) (*reader.Scan, *catalog.Table, error) {
	t, ok := n.Table.(*catalog.Table)
	if !ok {
		return nil, nil, errs.Unsupported("scanning %T", n.Table)
	}
	r := scan.Request{
		Columns: n.Read, Lent: b.lent[n], Derived: n.Derived, Limit: n.Limit, Budget: b.env.Budget, Readers: b.readersOf(n, t), Options: t.Scan,
	}
	if first, ok := b.first[n]; ok {
		r.First = &first
	}
	r.InOrder = b.inOrder[n] != nil
	// A request names columns by their index in the table, then in Derived, then in Inner.
	places := positionsOf(n.All())
	var err error
	if r.Filter, err = places.all(b.ctx, n.Filter); err != nil {
		return nil, nil, err
	}
	for i, inner := range n.Inner {
		places[inner.ID] = len(n.All()) + i
		r.Inner = append(r.Inner, inner.Inner)
	}
	if r.Unnested, err = places.all(b.ctx, n.Unnested); err != nil {
		return nil, nil, err
	}
	s, err := reader.New(b.ctx, t, r)
	if err != nil {
		return nil, nil, err
	}
	b.scans = append(b.scans, Running{n, s})
	return s, t, nil
}

// pageBytes is what a reader usually has in memory of a column: a page of 1 MiB and bytes of
// the file. Those of a small table have less.
const (
	pageBytes = 5 << 18
	pageShare = 4 // times the bytes of the column in all files, at most
)

// workersOf is how many workers read the table, of which so many columns are read: fewer than
// there are where the pages of all would not fit into the memory limit.
func (b *builder) workersOf(t *catalog.Table, columns int) int {
	var size int64
	for _, f := range t.Files {
		size += f.Size
	}
	workers := min(int64(b.workers), 1+size/bytesPerWorker)
	if room := b.env.Budget.PageRoom(); room > 0 {
		pages := int64(max(columns, 1)) * min(pageBytes, 1+size*pageShare/int64(max(len(t.Columns), 1)))
		workers = min(workers, max(1, room/pages))
	}
	return int(workers)
}

// scan makes the readers of a scan.
func (b *builder) scan(n *logical.Scan) ([]exec.Operator, error) {
	s, t, err := b.request(n)
	if err != nil {
		return nil, err
	}
	return b.readers(n, s, t), nil
}

func (b *builder) readers(n *logical.Scan, s *reader.Scan, t *catalog.Table) []exec.Operator {
	order := b.inOrder[n]
	if order != nil {
		order.scan = s
	}
	ops := make([]exec.Operator, b.readersOf(n, t))
	for i := range ops {
		r := s.NewReader()
		if ops[i] = r; order != nil {
			order.readers = append(order.readers, r)
		}
	}
	return ops
}
