package join

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// readBuild reads the build side. Each input has a goroutine; while one of them adds
// its rows to the table, the others read.
func (j *joiner) readBuild(ctx context.Context) error {
	t := j.newTable()
	var mu sync.Mutex
	extents := make([]extent, len(j.Keys))
	err := exec.Parallel(ctx, len(j.build), func(ctx context.Context, i int) error {
		l := newLoader(&j.built)
		own := make([]extent, len(extents))
		for {
			b, err := j.build[i].Next(ctx)
			if err != nil {
				return err
			}
			if b == nil {
				break
			}
			if b.Rows() == 0 {
				continue
			}
			rows, err := l.load(b)
			if err != nil {
				return err
			}
			if err := j.keep(&mu, t, rows); err != nil {
				return err
			}
			for k := range own {
				if j.Built != nil {
					own[k].add(rows.Cols[k], rows)
				}
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for k := range own {
			extents[k].merge(&own[k])
		}
		return nil
	})
	if err != nil {
		return err
	}
	t.freeze(j)
	j.table = t
	if j.Built != nil && len(j.Keys) > 0 {
		ranges, err := j.ranges(extents, t)
		if err != nil {
			return err
		}
		j.Built(ranges)
	}
	return exec.CloseAll(j.build)
}

func (j *joiner) keep(mu *sync.Mutex, t *table, rows *vector.Batch) error {
	mu.Lock()
	defer mu.Unlock()
	return t.add(j, rows)
}
