package geo

import (
	"hash/maphash"
	"strings"
)

// Bounds of what a keeper keeps.
const (
	keptShapes = 1 << 12
	keptBytes  = 4 << 20
	minKept    = 64 // shorter geometries are not worth it
)

var seed = maphash.MakeSeed()

// keeper keeps shapes that were costly to make, because a join asks for the same geometry
// again and again. It is for one evaluator.
type keeper[S any] struct {
	slots []kept[S]
	size  int // bytes of WKB in slots
}

type kept[S any] struct {
	key   string
	shape *S
}

// keeps reports whether the shape of a WKB is worth keeping.
func (k *keeper[S]) keeps(s string) bool { return len(s) >= minKept && len(s) <= keptBytes/4 }

func (k *keeper[S]) slot(s string) *kept[S] { return &k.slots[maphash.String(seed, s)%keptShapes] }

// get is the shape of a WKB if it is kept, else nil.
func (k *keeper[S]) get(s string) *S {
	if k.slots == nil || !k.keeps(s) {
		return nil
	}
	if at := k.slot(s); at.shape != nil && at.key == s {
		return at.shape
	}
	return nil
}

// keep is the shape of a WKB, which read makes if it is not kept yet.
func (k *keeper[S]) keep(s string, read func(string) (*S, error)) (*S, error) {
	if k.slots == nil || k.size > keptBytes {
		k.slots, k.size = make([]kept[S], keptShapes), 0
	}
	at := k.slot(s)
	if at.shape != nil && at.key == s {
		return at.shape, nil
	}
	key := strings.Clone(s) // the memory of the batch is used again
	shape, err := read(key)
	if err != nil {
		return nil, err
	}
	k.size += len(key)
	at.key, at.shape = key, shape
	return shape, nil
}
