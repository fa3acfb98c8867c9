// Package join combines the rows of two inputs: joins of all kinds, and the tests of
// subqueries that were turned into joins.
//
// The rows of one side, the build side, are kept in memory: in a hash table if the
// condition has equalities between the sides, which are the keys, in several if it has an OR of
// such, else as a list, which is sorted if that finds candidates by a comparison. The
// rows of the other side, the probe side, stream by. Each row meets its candidates,
// which are the build rows with an equal key, or all of them without keys; a pair
// matches if the rest of the condition is TRUE for it. What becomes of the pairs that
// match, and of the rows that have none, is what kinds of joins differ in (Result).
//
//	build 1 ┐                     probe 1 → stream 1
//	build 2 ┴→ table, frozen
//	                              probe 2 → stream 2
//
// The build side is read by a goroutine per input. Each keeps its rows; when all are read,
// they become one table, and the goroutines build the hash table together. Only where there
// are several keys, or one that is not of 64 bits, all add to one table, one at a time. New
// returns one operator per probe input, so that the operators above stay parallel too.
// The first Next reads the build side. Streams never wait for each other after that:
// they may also be read one after the other.
//
// When the build side does not fit into memory, the rows of both sides are divided into
// partitions by the hash of their keys (exec/spill). The partitions for which there is
// memory make a table as above. Of the others, rows with equal keys are in
// partitions of the same number, so that these are joined one by one: the build rows of
// a partition become a table, if need be after dividing it again, and its probe rows are
// read. Rows that cannot be divided, because there is one key or none, are joined in
// blocks: as many build rows as fit, then all the probe rows, then the next build rows.
// What a block has found out about a probe row is kept for the next one. In ASOF joins
// the build rows are sorted first, and each probe row meets one block.
//
// The package knows no left and right: planner/physical/choose decides which input is the build
// side, and puts the columns of the result in order.
//
//	join.go    the description of a join, and its life
//	build.go   reads the build side
//	side.go    the layout of rows: keys first
//	table.go   the kept rows and their hash table
//	stream.go  the operator of one probe input
//	probe.go   the candidates of a batch of probe rows, and which of them match
//	loop.go    all build rows as candidates, one after the other for a whole batch
//	boxes.go   candidates by the boxes of geometries
//	either.go  candidates by one of several hash tables
//	sorted.go  candidates by comparisons: ASOF joins, conditions without equality
//	reach.go   fewer of them by a second comparison
//	mark.go    the three-valued result of MarkProbe
//	masked.go  rows with NULLs for it
//	output.go  the columns of the result
//	range.go   what Built tells about the keys
//	parts.go   the rows that do not fit into memory
//	block.go   joins them, a partition or a block of it at a time
//	nearest.go blocks of ASOF joins
//
// positional.go is POSITIONAL JOIN.
//
// To add a kind of join, add a Result and its case in prober.next.
package join

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/geometry/extent"
	"github.com/parquetsql/parquetsql/rows/hashtable"
	"github.com/parquetsql/parquetsql/vector"
)

// Result says which rows a join returns.
type Result uint8

const (
	// Pairs are the pairs that match: the columns of both sides. KeepProbe and
	// KeepBuild add the rows without a match.
	Pairs          Result = iota
	MatchedProbe          // the probe rows that have a match
	UnmatchedProbe        // the probe rows that have none
	MarkProbe             // all probe rows and, as last column, the OR of Test over their matches
	MatchedBuild          // the build rows that have a match
	UnmatchedBuild        // the build rows that have none
)

// Key is an equality between the sides. Both expressions have the same storage, and
// values that are equal exactly if the storage is.
type Key struct {
	Probe, Build expr.Expr // over the columns of their side
	Null         hashtable.Equality
}

// Spec describes a join. Pairs have the columns of the probe side, then those of the
// build side.
type Spec struct {
	Result Result
	Keys   []Key
	On     expr.Expr // the rest of the condition, over the columns of pairs; nil: TRUE
	// Rejects is columns of the probe side of which a NULL makes On not TRUE.
	Rejects []int

	// Order, unless nil, is conjuncts that find candidates by sorting; not with TestKeys.
	Order *Order
	// Boxes, unless nil, finds candidates by the boxes of geometries; not with Keys, Order
	// or Test.
	Boxes *Boxes
	// Either, unless nil, finds candidates by several hash tables; not with Keys, Order, Boxes
	// or Test.
	Either []Alternative

	// KeepProbe adds to Pairs the probe rows without a match, with NULLs for the build
	// side, KeepBuild the reverse.
	KeepProbe, KeepBuild bool
	// Single makes the second match of a probe row an error, which marks Span.
	Single bool
	Span   expr.Span
	// BuildFirst says that in the result of Pairs the columns of the build side come
	// first.
	BuildFirst bool

	// Test belongs to MarkProbe, see logical.Join; nil is TRUE. If it is a conjunction
	// of equalities between the sides, they are TestKeys too.
	Test     expr.Expr
	TestKeys []Key

	// Built, unless nil, is called once when the build side is complete and before the
	// probe side is read, with what is known about each of Keys, then about each of Limits. A
	// probe row whose key is outside of that, or which is beyond all that it is compared with, has no match.
	Built func(keys []KeyRange)
	// Limits, with Built, is what On or Order compare with the probe side: columns of the build side, or what Order sorts by.
	Limits []expr.Expr
	// BuiltBoxes, unless nil, is the same for Boxes without ProbeDistance: a probe row whose
	// geometry does not meet the set has no match.
	BuiltBoxes func(region *extent.Set)

	Schema vector.Schema // of the result
	// Unread says by column of the result of Pairs which ones nobody reads: they are NULL. nil: none.
	Unread []bool
}

// never reports whether no pair can match.
func (s *Spec) never() bool {
	c, ok := s.On.(*expr.Const)
	return ok && (c.Value.Null || !c.Value.Bool)
}

// probeAlone reports whether a probe row without candidates is part of the result.
func (s *Spec) probeAlone() bool {
	return s.KeepProbe || s.Result == UnmatchedProbe || s.Result == MarkProbe
}

// buildAlone reports whether build rows without a match are part of the result.
func (s *Spec) buildAlone() bool { return s.KeepBuild || s.Result == UnmatchedBuild }

// flagged reports whether build rows remember that they have a match.
func (s *Spec) flagged() bool { return s.buildAlone() || s.Result == MatchedBuild }

// joiner is what the streams of a join share.
type joiner struct {
	Spec
	env          exec.Env
	build        []exec.Operator
	probe, built side
	hashed       int   // the number of Keys and TestKeys
	limits       []int // the places of Limits; -1: nothing is known of it
	needed       []int // the columns of pairs that On and Test read

	seed hashtable.Seed
	file *spill.File

	lock     chan struct{} // held by the stream that reads the build side
	ready    bool
	err      error
	table    *table                     // all rows of the build side; nil if they do not fit
	parts    *spill.Partitions          // then they are here
	kept     *table                     // and the rows of some partitions here
	resident [hashtable.Partitions]bool // which ones

	mu     sync.Mutex
	probed []*spill.Partitions // then the rows of the probe side, by stream
	work   int64               // reserved of the budget for the tables of partitions

	running atomic.Int32 // streams that have not come to their end
	open    atomic.Int32 // streams that are not closed
}

// New returns one operator per probe input. They must be closed all.
func New(env exec.Env, spec Spec, probe, build []exec.Operator) []exec.Operator {
	j := &joiner{Spec: spec, env: env, build: build, lock: make(chan struct{}, 1), seed: hashtable.NewSeed(), file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
	keys := append(spec.Keys[:len(spec.Keys):len(spec.Keys)], spec.TestKeys...)
	probeKeys, buildKeys := make([]expr.Expr, len(keys)), make([]expr.Expr, len(keys))
	for i, k := range keys {
		probeKeys[i], buildKeys[i] = k.Probe, k.Build
	}
	j.hashed = len(keys)
	if spec.Order != nil {
		buildKeys = append(buildKeys, spec.Order.Build)
		for _, b := range spec.Order.Bounds {
			probeKeys = append(probeKeys, b.Probe)
		}
		if reach := spec.Order.Reach; reach != nil {
			buildKeys, probeKeys = append(buildKeys, reach.Build), append(probeKeys, reach.Bound.Probe)
		}
	}
	if spec.Boxes != nil {
		buildKeys = append(buildKeys, withDistance(spec.Boxes.Build, spec.Boxes.BuildDistance)...)
		probeKeys = append(probeKeys, withDistance(spec.Boxes.Probe, spec.Boxes.ProbeDistance)...)
	}
	for _, a := range spec.Either {
		for _, k := range a {
			probeKeys, buildKeys = append(probeKeys, k.Probe), append(buildKeys, k.Build)
		}
	}
	j.probe, j.built = newSide(probe[0].Schema(), probeKeys), newSide(build[0].Schema(), buildKeys)
	for _, e := range spec.Limits {
		j.limits = append(j.limits, j.built.find(e))
	}
	j.needed = columnsOf(spec.On, spec.Test)
	j.running.Store(int32(len(probe)))
	j.open.Store(int32(len(probe)))
	out := make([]exec.Operator, len(probe))
	for i, in := range probe {
		out[i] = &stream{joiner: j, in: in}
	}
	return out
}

// columnsOf are the columns that some expressions read; nil ones read none.
func columnsOf(list ...expr.Expr) []int {
	var all []int
	for _, e := range list {
		if e != nil {
			all = append(all, expr.ColumnsOf(e)...)
		}
	}
	return unique(all)
}

// prepare reads the build side, or waits for the stream that does.
func (j *joiner) prepare(ctx context.Context) error {
	select {
	case j.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-j.lock }()
	if !j.ready {
		j.ready = true
		j.err = errors.New("the build side of a join was not read to its end") // if it panics
		j.err = j.readBuild(ctx)
	}
	return j.err
}

// close is called by each stream once; the last one frees what they share.
func (j *joiner) close() error {
	if j.open.Add(-1) > 0 {
		return nil
	}
	j.ready = true
	if j.table != nil {
		j.table.release()
	}
	if j.parts != nil {
		j.parts.Close()
	}
	if j.kept != nil {
		j.kept.release()
	}
	for _, p := range j.probed {
		p.Close()
	}
	j.table, j.parts, j.kept, j.probed = nil, nil, nil, nil
	j.env.Budget.Release(j.work)
	j.work = 0
	return errors.Join(j.file.Close(), exec.CloseAll(j.build))
}
