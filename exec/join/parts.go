package join

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// partitioned prepares for the probe side when the rows of the build side are in
// partitions. It reserves memory for joining partitions later, and makes a table of
// those partitions that fit into what is left; the others go to disk. Probe rows of the
// table's partitions need not wait.
func (j *joiner) partitioned(ctx context.Context) error {
	most := int64(0)
	var whole []int // the partitions that are in memory
	for p := range hashtable.Partitions {
		most = max(most, j.tableBytes(j.parts, p))
		rows, _ := j.parts.Total(p)
		if len(j.Keys) > 0 && rows > 0 && rows == j.parts.Rows(p) {
			whole = append(whole, p)
		} else if err := j.parts.Spill(p); err != nil {
			return err
		}
	}
	j.parts.Shrink()
	slices.SortFunc(whole, func(a, b int) int { return cmp.Compare(j.tableBytes(j.parts, a), j.tableBytes(j.parts, b)) })
	var err error
	for n := most * int64(j.open.Load()); n > freeBytes && j.work == 0; n /= 2 {
		var ok bool
		if whole, ok, err = j.makeRoom(n, whole); err != nil {
			return err
		}
		if ok {
			j.work = n
		}
	}
	j.kept = j.newTable()
	j.kept.passing = true
	for len(whole) > 0 {
		p := whole[0]
		n := j.tableBytes(j.parts, p)
		rest, ok, err := j.makeRoom(n, whole[1:])
		if err != nil {
			return err
		}
		if whole = rest; !ok {
			if err := j.parts.Spill(p); err != nil {
				return err
			}
			break
		}
		j.kept.held += n
		if err := j.parts.Read(ctx, p, j.kept.add); err != nil {
			return err
		}
		j.parts.Drop(p)
		j.resident[p] = true
	}
	j.parts.Shrink()
	return j.kept.freeze(ctx, len(j.build))
}

// makeRoom reserves n bytes. Where they are missing it moves partitions to disk, from
// the end of the list, and returns those that are left.
func (j *joiner) makeRoom(n int64, whole []int) (left []int, ok bool, err error) {
	for j.env.Budget.Reserve(n) != nil {
		if len(whole) == 0 {
			return nil, false, nil
		}
		last := len(whole) - 1
		if err := j.parts.Spill(whole[last]); err != nil {
			return nil, false, err
		}
		j.parts.Shrink()
		whole = whole[:last]
	}
	return whole, true, nil
}

// keyBytes is about how much memory a row's key needs in a hash table. Several columns have a hash or a
// packed word, each an id in it, and texts may have a table of their own for a quarter of the rows.
const (
	keyBytes     = 48
	severalBytes = 8
	columnBytes  = 16
)

// tableBytes is about how much memory the rows of a partition need as a table.
func (j *joiner) tableBytes(s *spill.Partitions, p int) int64 {
	rows, bytes := s.Total(p)
	whole := bytes
	keys := func(types []vector.Type) {
		bytes += int64(rows) * keyBytes
		if len(types) > 1 {
			bytes += int64(rows) * (severalBytes + columnBytes*int64(len(types)))
		}
		for _, t := range types {
			if t.Storage() == vector.StoreString || t.Storage() == vector.StoreNested {
				bytes += whole // the hash table has copies of the keys
				break
			}
		}
	}
	from := j.hashed
	keys(j.built.types[:from])
	for _, a := range j.Either {
		keys(j.built.types[from : from+len(a)])
		from += len(a)
	}
	return bytes + int64(rows)*j.rowBytes()
}

// part is the rows of both sides that have the same hash, so far as it was looked at.
type part struct {
	build *spill.Partitions
	probe []*spill.Partitions
	p     int  // the partition's number in all of them
	whole bool // dividing it again makes it no smaller
}

func (x *part) probeRows() int {
	n := 0
	for _, s := range x.probe {
		rows, _ := s.Total(x.p)
		n += rows
	}
	return n
}

// drop forgets the rows.
func (x *part) drop() {
	x.build.Drop(x.p)
	for _, s := range x.probe {
		s.Drop(x.p)
	}
}

// toDisk moves the rows of a part to disk that dividing has left in memory. Other parts are in
// partitions of all workers, which one of them may not change.
func (x *part) toDisk() error {
	if x.build.Level() == 0 {
		return nil
	}
	for _, s := range append([]*spill.Partitions{x.build}, x.probe...) {
		if s.Rows(x.p) == 0 {
			continue
		}
		if err := s.Spill(x.p); err != nil {
			return err
		}
		s.Shrink()
	}
	return nil
}

// maxLevel is how many times rows are divided at most; 64^4 partitions are enough for
// any number of rows, unless many have the same key.
const maxLevel = 3

// divide divides the rows by other bits of the hash.
func (x *part) divide(ctx context.Context) ([]*part, error) {
	rows, _ := x.build.Total(x.p)
	build, err := x.build.Divide(ctx, x.p)
	if err != nil {
		return nil, err
	}
	out := make([]*part, hashtable.Partitions)
	for p := range out {
		n, _ := build.Total(p)
		out[p] = &part{build: build, p: p, whole: n > rows/2}
	}
	for _, s := range x.probe {
		probe, err := s.Divide(ctx, x.p)
		if err != nil {
			build.Close()
			for _, s := range out[0].probe {
				s.Close()
			}
			return nil, err
		}
		for p := range out {
			out[p].probe = append(out[p].probe, probe)
		}
	}
	return out, nil
}

// lastRows is what the last stream returns at its end if there are partitions: first the
// rows of the kept table without a match, then what is in the partitions.
type lastRows struct {
	unmatchedRows
	parts exec.Operator // nil: not yet
}

func (l *lastRows) Next(ctx context.Context) (*vector.Batch, error) {
	if l.parts == nil {
		if b, err := l.unmatchedRows.Next(ctx); b != nil || err != nil {
			return b, err
		}
		kept := l.prober.kept
		l.prober.forget()
		kept.release()
		l.parts = l.prober.joinParts()
	}
	return l.parts.Next(ctx)
}

func (l *lastRows) Close() error {
	if l.parts == nil {
		return nil
	}
	return l.parts.Close()
}

// joinParts joins the rows of both sides that are in partitions. As many workers do so
// as there are streams; each takes the next partition.
func (j *joiner) joinParts() exec.Operator {
	j.env.Budget.Release(j.work)
	j.work = 0
	next, turns := &atomic.Int32{}, newTurns(len(j.probed))
	workers := make([]exec.Operator, len(j.probed))
	for i := range workers {
		workers[i] = &partWorker{joiner: j, next: next, turns: turns}
	}
	return j.env.Gather(workers)
}

// rowReader reads the rows of a partition in batches of at most vector.BatchSize.
type rowReader struct {
	of     []*spill.Partitions
	p      int
	cursor *spill.Cursor
	b      *vector.Batch
	from   int
	out    vector.Batch
}

// next returns the next rows, nil at the end. They are valid until the next call.
func (r *rowReader) next(ctx context.Context) (*vector.Batch, error) {
	for r.b == nil || r.from == r.b.Len {
		if r.cursor == nil {
			if len(r.of) == 0 {
				return nil, nil
			}
			r.cursor, r.of = r.of[0].Cursor(r.p), r.of[1:]
		}
		b, err := r.cursor.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b == nil {
			r.cursor = nil
		}
		if r.b, r.from = b, 0; b == nil {
			continue
		}
	}
	n := min(vector.BatchSize, r.b.Len-r.from)
	r.out.Len, r.out.Cols = n, make([]*vector.Vector, len(r.b.Cols))
	for c, v := range r.b.Cols {
		r.out.Cols[c] = &vector.Vector{}
		r.out.Cols[c].Slice(v, r.from, n)
	}
	r.from += n
	return &r.out, nil
}
