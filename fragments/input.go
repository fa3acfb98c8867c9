package fragments

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/fragments/internal/travel"
	"github.com/parquetsql/parquetsql/vector"
)

// inputOf opens inputs of a fragment: see parquetsql.StageInput.
func inputOf(f *Fragment, stages []parquetsql.Stage, s Store) func(context.Context, int) (parquetsql.VectorStream, error) {
	return func(ctx context.Context, input int) (parquetsql.VectorStream, error) {
		if input < 0 || input >= len(stages[f.Stage].Inputs) {
			return nil, fmt.Errorf("stage %d has no input %d", f.Stage, input)
		}
		in := stages[f.Stage].Inputs[input]
		out := &stream{store: s, fragment: f, columns: stages[in.From[0]].Columns}
		var err error
		if out.schema, err = travel.Schema(out.columns); err != nil {
			return nil, err
		}
		at := 0
		for _, from := range in.From {
			for n := range f.Tasks[from] {
				if in.Read != "task" || at == f.Task {
					out.tasks = append(out.tasks, [2]int{from, n})
				}
				at++
			}
		}
		if in.Read == "partition" {
			partition := uint64(f.Task)
			out.partition = &partition
		}
		return out, nil
	}
}

// stream is the rows of some tasks, one after the other.
type stream struct {
	store     Store
	fragment  *Fragment
	columns   vector.Schema
	schema    *arrow.Schema
	tasks     [][2]int // stage and task
	partition *uint64  // nil: all

	file     string    // of the task that is being read
	segments []segment // of it that are left
	reader   *travel.Reader
	closed   bool
}

// Next implements parquetsql.VectorStream.
func (s *stream) Next(ctx context.Context) (*vector.Batch, error) {
	if s.closed {
		return nil, errors.New("the rows of an exchange are closed")
	}
	for {
		if s.reader != nil {
			b, err := s.reader.Next()
			if b != nil || err != nil {
				return b, err
			}
			s.end()
		}
		more, err := s.open(ctx)
		if !more || err != nil {
			return nil, err
		}
	}
}

// open goes to the next segment; false is the end.
func (s *stream) open(ctx context.Context) (bool, error) {
	for len(s.segments) == 0 {
		if len(s.tasks) == 0 {
			return false, nil
		}
		task := s.tasks[0]
		m, err := readManifest(ctx, s.store, s.fragment.ID, task[0], task[1], s.fragment.Hash)
		if err != nil {
			return false, err
		}
		s.tasks = s.tasks[1:]
		s.file = folder(s.fragment.ID, task[0], task[1]) + "/" + m.File
		for _, x := range m.Segments {
			if s.partition == nil || *s.partition == x.Partition {
				s.segments = append(s.segments, x)
			}
		}
	}
	x := s.segments[0]
	s.segments = s.segments[1:]
	data, err := s.store.ReadRange(ctx, s.file, x.Offset, x.Length)
	if err != nil {
		return false, fmt.Errorf("exchanged rows: %w", err)
	}
	if sum := crc32.Checksum(data, castagnoli); sum != x.Sum {
		return false, fmt.Errorf("exchanged rows of %s at %d have the checksum %08x, not %08x", s.file, x.Offset, sum, x.Sum)
	}
	s.reader, err = travel.NewReader(bytes.NewReader(data), s.columns, s.schema)
	return err == nil, err
}

func (s *stream) end() {
	if s.reader != nil {
		s.reader.Close()
		s.reader = nil
	}
}

// Close implements parquetsql.VectorStream.
func (s *stream) Close() error {
	s.closed = true
	s.end()
	return nil
}
