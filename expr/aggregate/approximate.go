package aggregate

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

const approxCountDistinct = "APPROX_COUNT_DISTINCT"

// approxHelp says how good the estimate is. TestSketchError measures it.
var approxHelp = fmt.Sprintf("the number of different values: exact up to %d, then estimated, with a standard error of 1.6 %%", MostCounted)

func bindApproxCountDistinct(a *Call) error {
	a.typ = vector.Of(vector.BigInt)
	a.state = func() State { return &sketchState{hasher: hashtable.NewStable(1)} }
	return nil
}

// Exactly is the call where it counts different values exactly: of moving frames a table is
// kept, of which values leave again, and sketches forget nothing.
func (a *Call) Exactly() (*Call, error) {
	if a.function.Name != approxCountDistinct {
		return a, nil
	}
	c, err := New("COUNT", a.args, true, a.filter)
	if err != nil {
		return nil, err
	}
	c.span = a.span
	return c, nil
}

// sketchState is APPROX_COUNT_DISTINCT.
type sketchState struct {
	acc    []sketch
	memory sketchMemory
	hasher *hashtable.Hasher // of the same hashes in all workers and machines
	hashes []uint64

	fetched int // keeps the reads of fetch
}

func (s *sketchState) Resize(groups int) { s.acc = grow(s.acc, groups) }

func (s *sketchState) Bytes() int64 { return int64(cap(s.acc))*40 + s.memory.bytes }

// Reset implements Reusable.
func (s *sketchState) Reset() { s.acc, s.memory = again(s.acc), sketchMemory{} }

func (s *sketchState) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	v := args[0]
	if v.Type.Kind == vector.Null {
		return nil
	}
	s.hashes = vector.Resize(s.hashes, b.Rows())
	s.hasher.Hash(args, b, s.hashes)
	for i, h := range s.hashes {
		s.hashes[i] = hashtable.Mix(h) // for their first bits count, and those of Hasher need not be good
	}
	nulls := v.MayHaveNulls()
	for i, h := range s.hashes {
		if groups != nil && i%fetchedSketches == 0 {
			n := min(i+fetchedSketches, len(groups))
			s.fetch(groups[i:n], s.hashes[i:n])
		}
		if nulls && v.IsNull(b.Row(i)) {
			continue
		}
		g := uint32(0)
		if groups != nil {
			g = groups[i]
		}
		s.acc[g].add(h, &s.memory)
	}
	return nil
}

const (
	// manySketches is how many are not in a near cache.
	manySketches = 64
	// fetchedSketches is of how many rows what fetch reads fits into it.
	fetchedSketches = 256
)

// fetch reads what some rows change. These reads do not wait for each other, as those of add do.
func (s *sketchState) fetch(groups []uint32, hashes []uint64) {
	if len(s.acc) < manySketches {
		return
	}
	for _, g := range groups {
		s.fetched += s.acc[g].n
	}
	for i, g := range groups {
		switch a := &s.acc[g]; {
		case a.registers != nil:
			s.fetched += int(a.registers[hashes[i]>>(64-registerBits)])
		case len(a.hashes) > listedHashes:
			s.fetched += int(a.hashes[int(hashes[i])&(len(a.hashes)-1)])
		case len(a.hashes) > 0:
			s.fetched += int(a.hashes[0])
		}
	}
}

func (s *sketchState) Merge(from State, which, to []uint32) error {
	o := from.(*sketchState)
	for i, w := range which {
		s.acc[to[i]].merge(&o.acc[w], &s.memory)
	}
	return nil
}

func (s *sketchState) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.BigInt), n)
	for i := range n {
		out.I64[i] = s.acc[from+i].count()
	}
	return nil
}

// exchangedSketch has the sketch as a BLOB.
func (a *Call) exchangedSketch() Partial {
	state := *a
	state.name, state.typ = approxCountDistinct+" STATE", vector.Of(vector.Blob)
	state.state = func() State { return &packedSketch{sketchState{hasher: hashtable.NewStable(1)}} }
	return Partial{[]*Call{&state}, func(results []expr.Expr) *Call {
		c := a.over(results)
		c.state = func() State { return &unpackedSketch{} }
		return c
	}}
}

// packedSketch is a state whose result is its sketches.
type packedSketch struct{ sketchState }

func (s *packedSketch) Merge(from State, which, to []uint32) error {
	return s.sketchState.Merge(&from.(*packedSketch).sketchState, which, to)
}

// ResultBytes implements Lengthy.
func (s *packedSketch) ResultBytes(_, n int) int64 { return int64(n) * registers }

func (s *packedSketch) Result(from, n int, out *vector.Vector) error {
	out.Reset(vector.Of(vector.Blob), n)
	for i := range n {
		out.Str[i] = string(s.acc[from+i].appendBytes(nil))
	}
	return nil
}

// unpackedSketch is a state whose rows are sketches.
type unpackedSketch struct {
	sketchState
	pick picker
}

func (s *unpackedSketch) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	for i := range p.n {
		if err := s.acc[p.group(i)].mergeBytes(p.from.Str[p.place(i)], &s.memory); err != nil {
			return err
		}
	}
	return nil
}

func (s *unpackedSketch) Merge(from State, which, to []uint32) error {
	return s.sketchState.Merge(&from.(*unpackedSketch).sketchState, which, to)
}
