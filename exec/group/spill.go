package group

import (
	"context"

	"github.com/parquetsql/parquetsql/exec/rowstore"
	"github.com/parquetsql/parquetsql/exec/spill"
	"github.com/parquetsql/parquetsql/vector"
)

// spill writes the rows that wait to disk: the columns of the layout, then
// whether they pass the FILTERs.
func (s *partitions) spill(part *partition) error {
	s.block = spill.Begin(s.block, part.n)
	for _, c := range part.cols {
		s.block = spill.AppendColumn(s.block, &c.Vec)
	}
	for _, c := range part.pass {
		if c != nil {
			s.block = spill.AppendColumn(s.block, &c.Vec)
		}
	}
	b, err := s.file.Append(s.block)
	part.blocks = append(part.blocks, b)
	part.reset()
	return err
}

// spilledGroups is a groupSource that finishes one partition after the other: its
// rows on disk, of all workers, are taken in, the result handed out, and the
// memory given back.
type spilledGroups struct {
	*aggregation
	merge   *grouper
	part    int // the next one
	current groupList
	held    *groups
}

func (s *spilledGroups) close() {
	s.drop()
	s.part = partitionCount
}

// drop gives the current partition's memory back.
func (s *spilledGroups) drop() {
	if s.held != nil {
		s.release(s.held)
		s.held, s.current.parts = nil, nil
	}
}

func (s *spilledGroups) next(ctx context.Context) (g *groups, from, n int, err error) {
	for {
		if g, from, n, err = s.current.next(ctx); n > 0 || err != nil {
			return g, from, n, err
		}
		s.drop()
		if s.part == partitionCount {
			return nil, 0, 0, nil
		}
		p := s.part
		s.part++
		s.held = s.shared[p].groups
		s.current = groupList{parts: []*groups{s.held}}
		for _, w := range s.workers {
			if w.parts == nil {
				continue
			}
			if err := s.takeIn(ctx, s.held, w.parts.list[p]); err != nil {
				return nil, 0, 0, err
			}
		}
	}
}

// takeIn adds a worker's rows of a partition to g.
func (s *spilledGroups) takeIn(ctx context.Context, g *groups, part *partition) error {
	for _, b := range part.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := s.read(b)
		if err != nil {
			return err
		}
		if err := s.merge.add(g, rows); err != nil {
			return err
		}
		if err := s.charge(g); err != nil {
			return err
		}
	}
	return nil
}

// read is the rows of a block.
func (s *spilledGroups) read(b spill.Block) (*groupRows, error) {
	data, err := s.file.Read(b)
	if err != nil {
		return nil, err
	}
	r, n, err := spill.Open(data)
	if err != nil {
		return nil, err
	}
	rows := &groupRows{pass: make([]*vector.Batch, len(s.plan.states))}
	rows.Len = n
	for _, t := range s.plan.types {
		v := &vector.Vector{}
		if err := r.Column(v, t, n); err != nil {
			return nil, err
		}
		rows.Cols = append(rows.Cols, v)
	}
	pass := make([]*rowstore.Column, len(s.plan.states))
	for i, st := range s.plan.states {
		if st.filter == nil {
			continue
		}
		pass[i] = rowstore.NewColumn(vector.Of(vector.Boolean))
		if err := r.Column(&pass[i].Vec, vector.Of(vector.Boolean), n); err != nil {
			return nil, err
		}
	}
	rows.setPass(pass)
	return rows, nil
}
