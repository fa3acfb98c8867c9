package window

import (
	"context"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/exec"
	"github.com/parquetsql/parquetsql/exec/order"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// fill makes the next section and prepares the evaluators. ok is false at the end.
//
// Where the memory limit refuses what the section needs, it gets fewer partitions, and the only
// one that it has goes to disk.
func (o *operator) fill(ctx context.Context) (ok bool, err error) {
	if err := o.rotate(); err != nil {
		return false, err
	}
	complete := false
	for !complete {
		err := o.room()
		switch {
		case err == nil, o.section.n == 0:
			complete, err = o.more(ctx)
		case !errors.Is(err, errs.ErrMemoryLimit):
		case o.section.partitions() > 1:
			o.section.cut(o.section.partitions() - 1)
			complete, err = true, nil
		default:
			return true, o.goLong(ctx, false)
		}
		if err != nil {
			return false, err
		}
	}
	if o.section.n == 0 {
		return false, nil
	}
	o.section.finish()
	for {
		err := o.prepare(ctx)
		switch {
		case err == nil:
			return true, nil
		case !errors.Is(err, errs.ErrMemoryLimit):
			return false, err
		case o.section.partitions() == 1:
			return true, o.goLong(ctx, true)
		}
		o.section.cut(o.section.partitions() / 2)
		o.section.finish()
		if err := o.begin(); err != nil { // without what was prepared
			return false, err
		}
	}
}

// errRefused is instead of the refusal of the budget in tests.
var errRefused = fmt.Errorf("%w: for a test", errs.ErrMemoryLimit)

// room reserves the memory of the section and of what was prepared for it. It leaves some to the
// long partitions of other workers, which have no way out.
func (o *operator) room() error {
	if o.section.n > 0 && o.plan.refuse != nil && o.plan.refuse() {
		return errRefused
	}
	return o.reserve(func(n int64) error {
		left := o.budget.Limit() / sectionShare
		if err := o.budget.Reserve(n + left); err != nil {
			return err
		}
		o.budget.Release(left)
		return nil
	})
}

// rotate makes the rows behind the section the next section.
func (o *operator) rotate() error {
	o.at = 0
	exec.ForgetRows(&o.out)
	if err := o.endLong(); err != nil {
		return err
	}
	if o.section == nil {
		o.section, o.next = o.plan.newSection(), o.plan.newSection()
	}
	if o.section.rest.n == 0 {
		o.section.reset()
		o.section, o.next = o.next, o.section
		return nil
	}
	remains, err := o.section.remains(o.next)
	if err != nil {
		return err
	}
	o.section = remains
	o.next.reset()
	return nil
}

// more adds some rows to the section. It returns true when this has all of its rows.
func (o *operator) more(ctx context.Context) (complete bool, err error) {
	if ok, err := o.pull(ctx); err != nil || !ok {
		return true, err
	}
	if len(o.plan.partition) == 0 { // all rows are one partition
		o.section.expected = order.Rows(o.in)
	}
	err = o.parts.Next(func(part *vector.Batch) (err error) {
		complete, err = o.section.add(part, o.next)
		return err
	})
	return complete, err
}

// pull makes sure that parts has rows. It returns false at the end.
func (o *operator) pull(ctx context.Context) (bool, error) {
	if o.parts.More() {
		return true, nil
	}
	b, err := o.read(ctx)
	if err != nil || b == nil {
		return false, err
	}
	o.parts.Start(b)
	return true, nil
}

// prepare makes the evaluators ready for the section.
func (o *operator) prepare(ctx context.Context) error {
	for _, f := range o.framers {
		if err := f.prepare(o.section); err != nil {
			return err
		}
	}
	for _, c := range o.calls {
		if err := c.prepare(ctx, o.section); err != nil {
			return err
		}
		if err := o.room(); err != nil {
			return err
		}
	}
	return nil
}

// reserve charges the memory of the sections, of what was prepared, and of a long partition. Some
// of it is free, so that small partitions are always possible.
func (o *operator) reserve(ask func(int64) error) error {
	bytes := o.section.bytes() + o.next.bytes()
	for _, f := range o.framers {
		bytes += f.bytes()
	}
	for _, c := range o.calls {
		bytes += c.bytes()
	}
	if o.long != nil {
		bytes += o.long.bytes()
	}
	n := max(0, bytes-freeBytes) - o.held
	if n < 0 {
		o.budget.Release(-n)
		o.held += n
		return nil
	}
	if n < quota.ChargeStep {
		return nil
	}
	if err := ask(n); err != nil {
		return err
	}
	o.held += n
	return nil
}
