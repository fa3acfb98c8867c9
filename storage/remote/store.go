package remote

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/parquetsql/parquetsql/storage"
)

// Store is the objects of a service as a storage.Store. Names are those of the objects, as they
// are: "a//b" is not "a/b".
type Store struct {
	service Service
	cost    storage.Cost
	limit   *limiter
	tails   *tails
	marks   *marks
}

// New is the store of a service. cost is what its reads cost, which plans them.
func New(s Service, cost storage.Cost) *Store {
	return &Store{service: s, cost: cost, limit: newLimiter(), tails: newTails(), marks: &marks{}}
}

// Cost implements storage.Store.
func (s *Store) Cost() storage.Cost { return s.cost }

// Close lets go of idle connections, if the service has some. The store can be used again.
func (s *Store) Close() error {
	s.tails.clear()
	if c, ok := s.service.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Stat implements storage.Store, for objects: there are no folders. It reads the end of an
// object that it has not described before, in the same request, for who will want its footer.
func (s *Store) Stat(ctx context.Context, name string) (storage.Entry, error) {
	n := s.tails.wanted(name)
	var out storage.Entry
	err := s.retried(ctx, name, func() error {
		var err error
		out, err = s.describe(ctx, name, n)
		return err
	})
	return out, err
}

// describe is one attempt of Stat.
func (s *Store) describe(ctx context.Context, name string, n int64) (storage.Entry, error) {
	out := storage.Entry{Name: name}
	err := s.request(ctx, Range{Name: name, Off: -1, N: n}, func(a *Answer, alive func()) error {
		out.Size, out.Version, out.Time = a.Size, a.Version, a.Time
		if a.Off < 0 || a.Size < a.Off || a.Size-a.Off > n {
			return &Error{Reason: "the server answers with another part of the object than its end", Help: "it must answer requests of ranges"}
		}
		tail := make([]byte, a.Size-a.Off)
		got, err := fill(a.Body, tail, alive)
		storage.TrafficOf(ctx).Bytes.Add(int64(got))
		if err == nil && s.tails.described(out, a.Off, tail) {
			out.Tail = int64(len(tail))
		}
		return err
	})
	return out, err
}

// request sends one request and reads what is answered.
func (s *Store) request(ctx context.Context, r Range, read func(a *Answer, alive func()) error) error {
	epoch, err := s.limit.take(ctx)
	if err != nil {
		return err
	}
	throttled := false
	defer func() { s.limit.give(epoch, throttled) }()
	watched, alive, end := watch(ctx)
	defer end()
	a, err := s.service.Get(watched, r)
	if err != nil {
		err = s.explained(ctx, watched, r.Name, err)
		var e *Error
		throttled = errors.As(err, &e) && e.Kind == Throttled
		return err
	}
	if err := read(a, alive); err != nil {
		_ = a.Body.Close() // the rest is not wanted
		return s.explained(ctx, watched, r.Name, err)
	}
	finish(a.Body)
	return nil
}

// explained is an error of a request with the object's address. What is no *Error came from the
// network while a body was read.
func (s *Store) explained(ctx, watched context.Context, name string, err error) error {
	if cause := ctx.Err(); cause != nil {
		return cause
	}
	if context.Cause(watched) == errStalled {
		err = &Error{Kind: Unavailable, Err: errStalled}
	}
	if errors.Is(err, storage.ErrNoListing) {
		return err
	}
	var e *Error
	if !errors.As(err, &e) {
		err = OfTransport(watched, err)
		if !errors.As(err, &e) {
			return err
		}
	}
	if e.Object == "" {
		e.Object = s.service.Address(name)
	}
	return e
}

// retried repeats work while it fails for a reason that may pass.
func (s *Store) retried(ctx context.Context, name string, work func() error) error {
	var p patience
	for {
		err := work()
		if err == nil || ofContext(err) {
			return err
		}
		if err := p.again(ctx, err); err != nil {
			return err
		}
		storage.TrafficOf(ctx).Retries.Add(1)
	}
}

// List implements storage.Store: it lists by the longest prefix that is wanted. A prefix without
// objects is empty and no error. What is left out is passed, and a long listing that is known from
// before is read in several places at once, where the service is a Seeker.
func (s *Store) List(ctx context.Context, dir string, w storage.Walk) iter.Seq2[[]storage.Entry, error] {
	return func(yield func([]storage.Entry, error) bool) {
		x := newSieve(dir, w)
		l := Listing{Prefix: x.prefix + w.Prefix, Flat: w.Depth != 0}
		seeker, seeks := s.service.(Seeker)
		if seeks = seeks && seeker.Seeks(); !seeks {
			s.pages(ctx, l, x, false, yield)
			return
		}
		if w.From != "" {
			l.From = x.prefix + w.From
		}
		known := s.marks.of(l)
		if len(known) == 0 {
			s.pages(ctx, l, x, true, yield)
			return
		}
		var m marker
		stopped := false
		err := s.parts(ctx, l, known, func(objects []Object) bool {
			m.add(objects)
			entries := x.entries(objects)
			stopped = len(entries) > 0 && !yield(entries, nil)
			return !stopped && x.closed != "/"
		})
		switch {
		case stopped:
		case err != nil:
			yield(nil, err)
		case x.closed != "": // what follows is passed
			s.marks.set(l, nil)
		default:
			s.marks.set(l, m.found())
		}
	}
}

// pages lists page by page.
func (s *Store) pages(ctx context.Context, l Listing, x *sieve, seeks bool, yield func([]storage.Entry, error) bool) {
	var m marker
	first, whole := l, seeks
	for {
		page, err := s.page(ctx, l)
		if err != nil {
			yield(nil, err)
			return
		}
		m.add(page.Objects)
		if entries := x.entries(page.Objects); len(entries) > 0 && !yield(entries, nil) {
			return
		}
		if l.After = page.Next; l.After == "" {
			break
		}
		if len(page.Objects) == 0 {
			continue
		}
		from, more := x.after(page.Objects[len(page.Objects)-1].Name)
		if !more {
			return
		}
		if seeks && from != "" {
			l.From, l.After, whole = from, "", false
		}
	}
	if whole {
		s.marks.set(first, m.found())
	}
}

// page is one page, repeated where that may help.
func (s *Store) page(ctx context.Context, l Listing) (page *Page, err error) {
	err = s.retried(ctx, l.Prefix, func() error {
		return s.limited(ctx, l.Prefix, func(ctx context.Context, _ func()) (err error) {
			page, err = s.service.List(ctx, l)
			return err
		})
	})
	return page, err
}
