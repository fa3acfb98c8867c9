package exec

import (
	"context"
	"sync"

	"github.com/parquetsql/parquetsql/vector"
)

// union is what the streams of a UNION ALL share: the streams of all inputs. An
// output that has read one to its end takes the next one. An output never waits
// for another: the streams of one input are handed out together before those of the
// next, and they are never more than the outputs, so that an input whose streams wait
// for each other still has all of them running.
type union struct {
	schema vector.Schema
	in     []*unionInput

	mu   sync.Mutex
	at   int // of in: the input whose streams are handed out
	open int // outputs that are not closed
}

// unionInput is the streams of one input.
type unionInput struct {
	streams []Operator
	taken   int // streams that were handed out
	running int // streams that have not ended
}

// NewUnion is the rows of all inputs, each given by its streams, in n streams; it makes
// more where an input has more, and fewer where there are fewer in all. schema describes
// the rows.
func NewUnion(inputs [][]Operator, n int, schema vector.Schema) []Operator {
	u := &union{schema: schema}
	total, most := 0, 1
	for _, in := range inputs {
		u.in = append(u.in, &unionInput{streams: in, running: len(in)})
		total, most = total+len(in), max(most, len(in))
	}
	u.open = max(most, min(n, total))
	out := make([]Operator, u.open)
	for i := range out {
		out[i] = &unionStream{union: u}
	}
	return out
}

// next is a stream that no output has taken yet, nil if there is none.
func (u *union) next() (*unionInput, Operator) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for ; u.at < len(u.in); u.at++ {
		if in := u.in[u.at]; in.taken < len(in.streams) {
			in.taken++
			return in, in.streams[in.taken-1]
		}
	}
	return nil, nil
}

// end closes an input when all of its streams have ended: what it holds is needed no
// longer, while other inputs may run for a long time.
func (u *union) end(in *unionInput) error {
	u.mu.Lock()
	in.running--
	var ended []Operator
	if in.running == 0 {
		ended, in.streams = in.streams, nil // their last batches point to pages
	}
	u.mu.Unlock()
	return CloseAll(ended)
}

// close closes all inputs with the last output.
func (u *union) close() error {
	u.mu.Lock()
	u.open--
	last := u.open == 0
	u.mu.Unlock()
	if !last {
		return nil
	}
	var all []Operator
	for _, in := range u.in {
		all = append(all, in.streams...)
	}
	return CloseAll(all)
}

// unionStream is one output.
type unionStream struct {
	*union
	input  *unionInput
	stream Operator // nil: none yet
	done   bool
	closed bool
	err    error
}

func (s *unionStream) Schema() vector.Schema { return s.schema }

func (s *unionStream) Next(ctx context.Context) (*vector.Batch, error) {
	for !s.done && !s.closed {
		if s.stream == nil {
			if s.input, s.stream = s.next(); s.stream == nil {
				s.done = true
				break
			}
		}
		b, err := s.stream.Next(ctx)
		if b != nil && err == nil {
			return b, nil
		}
		s.stream = nil
		if err == nil {
			err = s.end(s.input)
		}
		s.err, s.done = err, err != nil
	}
	return nil, s.err
}

func (s *unionStream) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.close()
}
