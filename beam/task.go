package parquetbeam

import (
	"context"
	"errors"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/parquetsql/parquetsql/fragments"
)

func init() {
	register.DoFn3x1[context.Context, []byte, func(int), error](&task{})
	register.DoFn4x1[context.Context, []byte, func(*int) bool, func(int), error](&waitingTask{})
	register.DoFn4x1[context.Context, []byte, func(Row), func(int), error](&rows{})
	register.DoFn5x1[context.Context, []byte, func(*int) bool, func(Row), func(int), error](&waitingRows{})
	register.DoFn3x1[context.Context, string, func(*int) bool, error](&clean{})
	register.Iter1[int]()
	register.Emitter1[int]()
	register.Emitter1[Row]()
	beam.RegisterType(reflect.TypeFor[Row]())
	beam.RegisterCoder(reflect.TypeFor[Row](), encodeRow, decodeRow)
}

// task runs a fragment, and tells its number when it is done.
type task struct{ Exchange string }

// ProcessElement runs a fragment.
func (t *task) ProcessElement(ctx context.Context, text []byte, done func(int)) error {
	f, err := fragments.Unmarshal(text)
	if err != nil {
		return err
	}
	var w fragments.Worker
	if err := w.Run(ctx, f, fragments.Dir(t.Exchange)); err != nil {
		return err
	}
	done(f.Task)
	return nil
}

// waitingTask is a task after others.
type waitingTask struct{ Exchange string }

// ProcessElement runs a fragment. The side input is there when the tasks before are done.
func (t *waitingTask) ProcessElement(ctx context.Context, text []byte, _ func(*int) bool, done func(int)) error {
	return (&task{t.Exchange}).ProcessElement(ctx, text, done)
}

// rows runs the last fragment, whose rows are those of the query.
type rows struct{ Exchange string }

// ProcessElement runs the last fragment.
func (r *rows) ProcessElement(ctx context.Context, text []byte, emit func(Row), done func(int)) (err error) {
	f, err := fragments.Unmarshal(text)
	if err != nil {
		return err
	}
	var w fragments.Worker
	out, err := w.Rows(ctx, f, fragments.Dir(r.Exchange))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	columns, err := out.Columns()
	if err != nil {
		return err
	}
	for out.Next() {
		row, at := Row{Values: make([]any, len(columns))}, make([]any, len(columns))
		for i := range at {
			at[i] = &row.Values[i]
		}
		if err := out.Scan(at...); err != nil {
			return err
		}
		emit(row)
	}
	if err := out.Err(); err != nil {
		return err
	}
	done(f.Task)
	return nil
}

// waitingRows is rows after tasks.
type waitingRows struct{ Exchange string }

// ProcessElement runs the last fragment. The side input is there when the tasks before are done.
func (r *waitingRows) ProcessElement(ctx context.Context, text []byte, _ func(*int) bool, emit func(Row), done func(int)) error {
	return (&rows{r.Exchange}).ProcessElement(ctx, text, emit, done)
}

// clean removes the files of a query, after its rows.
type clean struct{ Exchange string }

// ProcessElement removes the files of the query of a name.
func (c *clean) ProcessElement(ctx context.Context, id string, _ func(*int) bool) error {
	return fragments.Clean(ctx, fragments.Dir(c.Exchange), id)
}
