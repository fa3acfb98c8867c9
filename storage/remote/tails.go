package remote

import (
	"sync"

	"github.com/parquetsql/parquetsql/storage"
)

// tailBytes is how much of the end of an object comes with its description: as much as comes
// in the time that another request would take to begin, roughly, and enough for most footers.
const tailBytes = 512 << 10

// mostTails and mostNames bound what is kept.
const (
	mostTails = 8
	mostNames = 1 << 12
)

// tails keeps the ends of objects until they are read, and the names of those described: the
// footer of such a one is in a cache.
type tails struct {
	mu    sync.Mutex
	known map[string]bool
	kept  []tail
}

type tail struct {
	name, version string
	off           int64
	bytes         []byte
}

func newTails() *tails { return &tails{known: map[string]bool{}} }

// wanted is how many bytes to ask for with the description of an object.
func (t *tails) wanted(name string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known[name] {
		return 1
	}
	return tailBytes
}

// put keeps the end of an object; false where it is not worth that.
func (t *tails) put(e storage.Entry, off int64, bytes []byte) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= mostNames {
		clear(t.known)
	}
	t.known[e.Name] = true
	if len(bytes) < 2 || e.Version == "" {
		return false
	}
	if len(t.kept) >= mostTails {
		t.kept = t.kept[1:]
	}
	t.kept = append(t.kept[:len(t.kept):len(t.kept)], tail{e.Name, e.Version, off, bytes})
	return true
}

// read copies the range if a tail has it.
func (t *tails) read(e storage.Entry, p []byte, off int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.kept) - 1; i >= 0; i-- {
		k := t.kept[i]
		if k.name == e.Name && k.version == e.Version && off >= k.off && off+int64(len(p)) <= k.off+int64(len(k.bytes)) {
			copy(p, k.bytes[off-k.off:])
			return true
		}
	}
	return false
}

func (t *tails) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = nil
}
