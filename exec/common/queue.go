package common

import (
	"context"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/vector"
)

// Queue is the rows of one round after the other. Where each row of a round is computed from one row of the round
// before, and rows come in their order, it does not matter to the operators where a round ends: they are made once
// and read what they have made.
type Queue struct{ of *recursive }

// Reader is all rows in one stream. columns are those of the rows that come out, schema describes them.
// There is one reader; the operators that read it must have returned all that they make of a batch
// when they ask for the next one.
func (q *Queue) Reader(columns []int, schema vector.Schema) exec.Operator {
	return &queueReader{recursive: q.of, columns: columns, schema: schema}
}

type queueReader struct {
	*recursive
	columns []int
	schema  vector.Schema

	round exec.Operator // of the current round; nil: it has ended, or the first one has not begun
	begun bool
	ended bool
}

// Schema implements exec.Operator.
func (q *queueReader) Schema() vector.Schema { return q.schema }

// Close implements exec.Operator.
func (q *queueReader) Close() error {
	q.ended = true
	if q.round == nil {
		return nil
	}
	err := q.round.Close()
	q.round = nil
	return err
}

// Next implements exec.Operator. The rows end before a round of many, which several workers share, and after one
// whose end others wait for.
func (q *queueReader) Next(ctx context.Context) (*vector.Batch, error) {
	for !q.ended {
		if q.round == nil {
			if q.begun {
				if q.late() {
					q.ended = true
					break
				}
				if err := q.swap(ctx); err != nil {
					return nil, err
				}
				if n := q.before.n; n == 0 || n > few {
					q.ahead, q.ended = true, true
					break
				}
			}
			q.begun = true
			q.round = q.before.Readers(q.columns, 1, q.schema)[0]
		}
		b, err := q.round.Next(ctx)
		if b != nil || err != nil {
			return b, err
		}
		err = q.round.Close()
		if q.round = nil; err != nil {
			return nil, err
		}
	}
	return nil, nil
}
