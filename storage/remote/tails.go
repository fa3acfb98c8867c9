package remote

import (
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/storage"
)

// tailBytes is how much of the end of an object comes with its description: as much as comes
// in the time that another request would take to begin, roughly, and enough for most footers.
const tailBytes = 512 << 10

// mostBytes and mostNames bound what is kept.
const (
	mostBytes = 4 << 20
	mostNames = 1 << 12
)

// tails keeps the ends of objects, and small objects of which all was read, so that who reads the footer
// has what follows without a request. It knows the names of objects that were described: the footer of such
// a one is in a cache.
type tails struct {
	mu    sync.Mutex
	known map[string]bool
	kept  map[string]tail
	order []string // of kept, the oldest first
	bytes int64    // of kept
}

type tail struct {
	version string
	off     int64
	bytes   []byte
}

func newTails() *tails { return &tails{known: map[string]bool{}, kept: map[string]tail{}} }

// wanted is how many bytes to ask for with the description of an object.
func (t *tails) wanted(name string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[name] {
		return 1
	}
	return tailBytes
}

// described keeps the end of an object; false where it is not worth that.
func (t *tails) described(e storage.Entry, off int64, bytes []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= mostNames {
		clear(t.known)
	}
	t.known[e.Name] = true
	if len(bytes) < 2 || e.Version == "" {
		return false
	}
	t.keep(e, tail{e.Version, off, bytes})
	return true
}

// wasRead keeps a small object of which all was read.
func (t *tails) wasRead(e storage.Entry, bytes []byte, off int64) {
	if off != 0 || int64(len(bytes)) != e.Size || e.Size > tailBytes || e.Version == "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(e, tail{e.Version, 0, slices.Clone(bytes)})
}

func (t *tails) keep(e storage.Entry, k tail) {
	old, ok := t.kept[e.Name]
	if t.bytes += int64(len(k.bytes) - len(old.bytes)); !ok {
		t.order = append(t.order, e.Name)
	}
	t.kept[e.Name] = k
	for t.bytes > mostBytes {
		t.bytes -= int64(len(t.kept[t.order[0]].bytes))
		delete(t.kept, t.order[0])
		t.order = t.order[1:]
	}
}

// read copies the range if it is kept.
func (t *tails) read(e storage.Entry, p []byte, off int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kept[e.Name]
	if k.version != e.Version || off < k.off || off+int64(len(p)) > k.off+int64(len(k.bytes)) {
		return false
	}
	copy(p, k.bytes[off-k.off:])
	return true
}

func (t *tails) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept, t.order, t.bytes = map[string]tail{}, nil, 0
}
