package remote

import (
	"context"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/storage"
)

// Writer is a Service that writes, too.
type Writer interface {
	// Put writes an object as a whole. Where it has to be fresh and there is one of its name, the error is
	// an *Error of the kind Changed, and nothing is written.
	Put(ctx context.Context, name string, data Content, fresh bool) error
	// Delete removes an object. That there is none is no error.
	Delete(ctx context.Context, name string) error
}

// errNoWriter is the error of a service that cannot write.
var errNoWriter = errors.New("the store can only be read")

// Writes reports whether the service writes.
func (s *Store) Writes() bool {
	_, ok := s.service.(Writer)
	return ok
}

// Address is an object's name for messages, without credentials.
func (s *Store) Address(name string) string { return s.service.Address(name) }

// Put writes an object: see Writer. It is repeated where that may help, so that an object which is said not
// to be fresh may be the one that an attempt before has written whose answer was lost.
func (s *Store) Put(ctx context.Context, name string, data []byte, fresh bool) error {
	return s.write(ctx, name, func(ctx context.Context, w Writer, alive func()) error {
		return w.Put(ctx, name, Content{data, alive}, fresh)
	})
}

// Delete removes an object.
func (s *Store) Delete(ctx context.Context, name string) error {
	return s.write(ctx, name, func(ctx context.Context, w Writer, _ func()) error { return w.Delete(ctx, name) })
}

func (s *Store) write(ctx context.Context, name string, request func(ctx context.Context, w Writer, alive func()) error) error {
	w, ok := s.service.(Writer)
	if !ok {
		return fmt.Errorf("%s: %w", s.service.Address(name), errNoWriter)
	}
	return s.retried(ctx, name, func() error {
		return s.limited(ctx, name, func(ctx context.Context, alive func()) error { return request(ctx, w, alive) })
	})
}

// limited sends a request when there is a place for it.
func (s *Store) limited(ctx context.Context, name string, request func(ctx context.Context, alive func()) error) error {
	epoch, err := s.limit.take(ctx)
	if err != nil {
		return err
	}
	watched, alive, end := watch(ctx)
	defer end()
	if err = request(watched, alive); err != nil {
		err = s.explained(ctx, watched, name, err)
	}
	var e *Error
	s.limit.give(epoch, errors.As(err, &e) && e.Kind == Throttled)
	return err
}

// Read reads n bytes of an object that is written once, and all of one that has at most n with whole.
func (s *Store) Read(ctx context.Context, name string, off, n int64, whole bool) (out []byte, err error) {
	err = s.retried(ctx, name, func() error {
		return s.request(ctx, Range{Name: name, Off: off, N: n}, func(a *Answer, alive func()) error {
			size := n
			if whole {
				size = a.Size
			}
			if a.Off != off || size > n || size > a.Size-off {
				return &Error{Reason: fmt.Sprintf("%d bytes at %d are asked for, it has %d and the answer begins at %d", n, off, a.Size, a.Off)}
			}
			out = make([]byte, size)
			got, err := fill(a.Body, out, alive)
			storage.TrafficOf(ctx).Bytes.Add(int64(got))
			return err
		})
	})
	return out, err
}
