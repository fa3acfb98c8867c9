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
	err := exec.Parallel(ctx, len(j.build), func(ctx context.Context, i int) error {
		l := newLoader(&j.built)
		for {
			b, err := j.build[i].Next(ctx)
			if b == nil || err != nil {
				return err
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
		}
	})
	if err != nil {
		return err
	}
	t.freeze(j)
	j.table = t
	return exec.CloseAll(j.build)
}

func (j *joiner) keep(mu *sync.Mutex, t *table, rows *vector.Batch) error {
	mu.Lock()
	defer mu.Unlock()
	return t.add(j, rows)
}
