package remote

import (
	"context"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// A listing of many pages takes as many requests one after the other: each page says where the next
// begins. But a Seeker begins anywhere. So names of a listing are kept as marks, and the next
// listing of the same goes on between all of them at the same time. Each part is listed until the
// mark of the next one, so that the names of both listings are all there are, whatever was added
// or removed meanwhile; the marks only say where to divide.

const (
	// markEvery is how many names there are between two marks: fewer than a page has, so that one
	// request still has all of them, and the next mark, when some were added.
	markEvery = 900
	// pageNames is how many names a page has.
	pageNames = 1000
	// mostMarks and mostMarked bound what is kept: names of a listing, and listings.
	mostMarks  = 4096
	mostMarked = 64
	// partsAtOnce is how many parts are in memory.
	partsAtOnce = 32
)

// marks keeps marks of listings.
type marks struct {
	mu    sync.Mutex
	known map[Listing][]string
}

// of are the marks of a listing.
func (m *marks) of(l Listing) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[l]
}

func (m *marks) set(l Listing, names []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= mostMarked {
		m.known = map[Listing][]string{}
	}
	if delete(m.known, l); len(names) > 0 && len(names) <= mostMarks {
		m.known[l] = names
	}
}

// marker finds the marks of a listing that goes on.
type marker struct {
	total, seen int // names, and those since the last mark
	names       []string
}

// found are the marks; none where a page has all names.
func (m *marker) found() []string {
	if m.total <= pageNames {
		return nil
	}
	return m.names
}

// add looks at the next names. Listings begin at names that end with a character of ASCII.
func (m *marker) add(objects []Object) {
	for _, o := range objects {
		if last := len(o.Name) - 1; m.seen >= markEvery && last >= 0 && ' ' < o.Name[last] && o.Name[last] < 0x7f {
			m.names, m.seen = append(m.names, o.Name), 0
		}
		m.seen++
		m.total++
	}
}

// parts lists the parts between marks, some at the same time, and gives their objects in order.
func (s *Store) parts(ctx context.Context, l Listing, at []string, give func([]Object) bool) error {
	ends := append(slices.Clone(at), "")
	begins := append([]string{l.From}, at...)
	for len(ends) > 0 {
		n := min(len(ends), partsAtOnce)
		parts, failed := make([][]Object, n), make([]error, n)
		var readers sync.WaitGroup
		for i := range n {
			readers.Go(func() {
				defer errs.Recover(&failed[i])
				one := l
				one.From = begins[i]
				parts[i], failed[i] = s.part(ctx, one, ends[i])
			})
		}
		readers.Wait()
		for i := range n {
			if failed[i] != nil {
				return failed[i]
			}
			if len(parts[i]) > 0 && !give(parts[i]) {
				return nil
			}
		}
		begins, ends = begins[n:], ends[n:]
	}
	return nil
}

// part lists up to a name, "" for all.
func (s *Store) part(ctx context.Context, l Listing, end string) (out []Object, err error) {
	for {
		page, err := s.page(ctx, l)
		if err != nil {
			return nil, err
		}
		for _, o := range page.Objects {
			if end != "" && o.Name >= end {
				return out, nil
			}
			if o.Name >= l.From { // also of a service that begins earlier
				out = append(out, o)
			}
		}
		if l.After = page.Next; l.After == "" {
			return out, nil
		}
	}
}
