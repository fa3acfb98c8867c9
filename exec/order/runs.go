package order

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// runs are the sorted runs of an operator. Those in memory are charged to the budget;
// when it is used up they move to disk, the largest first. Workers may call keep and
// spillLargest at the same time.
type runs struct {
	types  []vector.Type
	budget *quota.Budget
	file   *spill.File

	mu   sync.Mutex
	list []*run
	held int64 // reserved for the runs in memory, and for blocks that are merged
}

const (
	// fanIn is the number of runs on disk that are merged at once.
	fanIn = 64
	// freeMerge is how many bytes of the blocks that are merged at once are not charged at most:
	// blocks of ordinary rows. It is 1/freeShare of the limit, as there may be many sorts, and
	// leastFree at least.
	freeMerge = 2 * fanIn * quota.RunBlockBytes
	freeShare = 32
	leastFree = freeMerge / 8
	// vectorBytes is what a vector takes besides its values, which is more than these where
	// rows have hundreds of columns and blocks few rows.
	vectorBytes = 416
)

func newRuns(env exec.Env, schema vector.Schema) *runs {
	s := &runs{budget: env.Budget, file: spill.New(env.TempDir, env.Encrypt, env.Budget)}
	for _, c := range schema {
		s.types = append(s.types, c.Type)
	}
	return s
}

// close forgets the runs and removes the file.
func (s *runs) close() error {
	s.list = nil
	s.budget.Release(s.held)
	s.held = 0
	return s.file.Close()
}

// keep adds a run; r.bytes are reserved already.
func (s *runs) keep(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, r)
	s.held += r.bytes
}

// spillLargest moves the largest run in memory to disk. It returns false if there is
// none.
func (s *runs) spillLargest(ctx context.Context) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var largest *run
	for _, r := range s.list {
		if r.blocks == nil && (largest == nil || r.bytes > largest.bytes) {
			largest = r
		}
	}
	if largest == nil {
		return false, nil
	}
	moved, err := newMerger(s.types, []*run{largest}, s.file).toDisk(ctx)
	if err != nil {
		return false, err
	}
	s.budget.Release(largest.bytes)
	s.held -= largest.bytes
	moved.input = largest.input
	*largest = *moved
	return true, nil
}

// merger merges the runs. Runs on disk are first merged with each other until the
// blocks of those that are left fit into memory.
func (s *runs) merger(ctx context.Context) (*merger, error) {
	for {
		disk, rest := s.onDisk()
		if len(disk) <= fanIn {
			all := s.mergeBytes(disk)
			need := s.charged(all)
			err := s.budget.Reserve(need)
			if err != nil {
				moved, spillErr := s.spillLargest(ctx)
				switch {
				case spillErr != nil:
					return nil, spillErr
				case moved:
					continue
				case len(disk) < 2:
					if err = s.budget.Need(need); err != nil {
						return nil, fmt.Errorf("reading sorted rows: %w", err)
					}
				}
			}
			if err == nil {
				s.held += need
				s.budget.Coming(all - need)
				slices.SortStableFunc(s.list, func(a, b *run) int { return cmp.Compare(a.input, b.input) })
				return newMerger(s.types, s.list, s.file), nil
			}
		}
		n, need, err := s.fitting(ctx, disk)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(disk[:n], func(a, b *run) int { return cmp.Compare(a.input, b.input) })
		merged, err := newMerger(s.types, disk[:n], s.file).toDisk(ctx)
		s.budget.Release(need)
		s.budget.Made(min(s.mergeBytes(disk[:n]), s.free()))
		if err != nil {
			return nil, err
		}
		merged.input = disk[0].input
		s.list = append(append(rest, disk[n:]...), merged)
	}
}

// onDisk divides the runs. Those on disk are in the order in which they are merged: short
// blocks before long ones, which need more memory, and among runs with blocks of about the
// same length few rows before many. By the lengths alone a run that has just been merged could be
// the next to be merged again, and again.
func (s *runs) onDisk() (disk, rest []*run) {
	for _, r := range s.list {
		if r.blocks != nil {
			disk = append(disk, r)
		} else {
			rest = append(rest, r)
		}
	}
	slices.SortStableFunc(disk, func(a, b *run) int {
		return cmp.Or(cmp.Compare(bits.Len64(uint64(a.largest())), bits.Len64(uint64(b.largest()))), cmp.Compare(a.n, b.n))
	})
	return disk, rest
}

// fitting is how many of the runs, two at least, can be merged into one, and what is then
// reserved for it.
func (s *runs) fitting(ctx context.Context, disk []*run) (n int, need int64, err error) {
	for n = min(len(disk), fanIn); ; n = max(2, n/2) {
		longest := int64(0)
		for _, r := range disk[:n] {
			longest = max(longest, r.largest())
		}
		// A block of the new run is there twice, as rows and as it is written, but for long ones.
		need = s.charged(s.mergeBytes(disk[:n])) + max(0, 2*min(longest, longBlock)-s.free())
		ok, err := s.room(ctx, need)
		switch {
		case ok || err != nil:
			return n, need, err
		case n == 2 && s.budget.Need(need) == nil:
			return n, need, nil
		case n == 2:
			return 0, 0, fmt.Errorf("sorting rows that have %d bytes on disk: %w", longest, s.budget.Refused(need))
		}
	}
}

// room reserves bytes. It moves runs to disk where they are in the way.
func (s *runs) room(ctx context.Context, bytes int64) (bool, error) {
	for s.budget.Reserve(bytes) != nil {
		if moved, err := s.spillLargest(ctx); err != nil || !moved {
			return false, err
		}
	}
	return true, nil
}

// mergeBytes is the memory for the blocks of runs that are merged: a block of each, in which the
// keys are, and its vectors.
func (s *runs) mergeBytes(disk []*run) int64 {
	total := int64(0)
	for _, r := range disk {
		total += r.largest() + r.largest()/2 + vectorBytes*int64(len(s.types))
	}
	return total
}

// charged is how much of the memory for blocks is charged.
func (s *runs) charged(blocks int64) int64 { return max(0, blocks-s.free()) }

// free is how much of it is not.
func (s *runs) free() int64 {
	if s.budget.Limit() == 0 {
		return freeMerge
	}
	return min(freeMerge, max(leastFree, s.budget.Limit()/freeShare))
}

// largest is the length of the run's largest block on disk.
func (r *run) largest() int64 {
	n := 0
	for _, b := range r.blocks {
		n = max(n, b.Len())
	}
	return int64(n)
}
