// Package boxtree is an R-tree over boxes that are all known in advance. It is packed
// by Sort-Tile-Recursive (Leutenegger, Lopez and Edgington: STR: a simple and efficient
// algorithm for R-tree packing, 1997): boxes are sorted by X and cut into slices, each
// slice is sorted by Y and cut into nodes.
package boxtree

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/internal/quota"
)

// Box is a rectangle with its sides. It is empty where a Min is greater than its Max.
type Box struct{ MinX, MinY, MaxX, MaxY float64 }

// IsEmpty reports whether no point is in b.
func (b Box) IsEmpty() bool { return !(b.MinX <= b.MaxX && b.MinY <= b.MaxY) }

// Overlaps reports whether b and o have a point in common.
func (b Box) Overlaps(o Box) bool {
	return b.MinX <= o.MaxX && o.MinX <= b.MaxX && b.MinY <= o.MaxY && o.MinY <= b.MaxY
}

// Union is the smallest box that covers b and o.
func (b Box) Union(o Box) Box {
	return Box{min(b.MinX, o.MinX), min(b.MinY, o.MinY), max(b.MaxX, o.MaxX), max(b.MaxY, o.MaxY)}
}

// fanOut is the number of children of a node.
const fanOut = 16

// Item is a box and what it is of.
type Item struct {
	Box Box
	ID  int32
}

// ItemBytes is the memory that a tree needs for an item, rounded up: the item, and the
// boxes of the nodes above it.
const ItemBytes = 48

// Tree finds the items whose boxes overlap a box. It does not change after New and may be
// used by several goroutines.
type Tree struct {
	items []Item
	// levels[0] has a box for each fanOut items, levels[i+1] one for each fanOut boxes of
	// levels[i]. The last has at most fanOut boxes.
	levels [][]Box
}

// New makes a tree of the items whose boxes are not empty. It keeps and reorders the
// slice.
func New(items []Item) *Tree {
	t, _ := NewContext(context.Background(), items) // which never ends
	return t
}

// NewContext is New for many items: it ends with the context's error soon after that is
// cancelled.
func NewContext(ctx context.Context, items []Item) (*Tree, error) {
	items = slices.DeleteFunc(items, func(i Item) bool { return i.Box.IsEmpty() })
	p := packer{quota.NewTicker(ctx, quota.RowsPerLook)}
	p.pack(items)
	if err := p.ticker.Err(); err != nil {
		return nil, err
	}
	t := &Tree{items: items}
	boxes := parents(len(items), func(i int) Box { return items[i].Box })
	for t.levels = append(t.levels, boxes); len(boxes) > fanOut; t.levels = append(t.levels, boxes) {
		below := boxes
		boxes = parents(len(below), func(i int) Box { return below[i] })
	}
	return t, nil
}

// packer sorts items until its context is cancelled.
type packer struct{ ticker quota.Ticker }

// pack sorts items so that each fanOut of them are near each other.
func (p *packer) pack(items []Item) {
	slices.SortFunc(items, func(a, b Item) int { return p.compare(a.Box.MinX, a.Box.MaxX, b.Box.MinX, b.Box.MaxX) })
	nodes := (len(items) + fanOut - 1) / fanOut
	slice := fanOut * int(math.Ceil(math.Sqrt(float64(nodes))))
	for from := 0; from < len(items); from += slice {
		slices.SortFunc(items[from:min(from+slice, len(items))], func(a, b Item) int { return p.compare(a.Box.MinY, a.Box.MaxY, b.Box.MinY, b.Box.MaxY) })
	}
}

// compare orders two sides of boxes by their middles.
func (p *packer) compare(minA, maxA, minB, maxB float64) int {
	if p.ticker.Work(1) != nil { // all are equal, so that sorting ends soon
		return 0
	}
	return cmp.Compare(center(minA, maxA), center(minB, maxB))
}

// center is the middle of two numbers; halves are added because a sum may overflow.
func center(a, b float64) float64 { return a/2 + b/2 }

// parents are the boxes of each fanOut of n children.
func parents(n int, child func(int) Box) []Box {
	boxes := make([]Box, 0, (n+fanOut-1)/fanOut)
	for from := 0; from < n; from += fanOut {
		b := child(from)
		for i := from + 1; i < min(from+fanOut, n); i++ {
			b = b.Union(child(i))
		}
		boxes = append(boxes, b)
	}
	return boxes
}

// Search appends the IDs of the items that overlap b, in no order.
func (t *Tree) Search(b Box, into []int32) []int32 {
	if b.IsEmpty() {
		return into
	}
	top := len(t.levels) - 1
	for i := range t.levels[top] {
		into = t.search(top, i, b, into)
	}
	return into
}

// Meets reports whether an item overlaps b.
func (t *Tree) Meets(b Box) bool {
	if b.IsEmpty() {
		return false
	}
	top := len(t.levels) - 1
	for i := range t.levels[top] {
		if t.meets(top, i, b) {
			return true
		}
	}
	return false
}

func (t *Tree) meets(level, node int, b Box) bool {
	if !t.levels[level][node].Overlaps(b) {
		return false
	}
	from := node * fanOut
	if level == 0 {
		return slices.ContainsFunc(t.items[from:min(from+fanOut, len(t.items))], func(i Item) bool { return i.Box.Overlaps(b) })
	}
	for i := from; i < min(from+fanOut, len(t.levels[level-1])); i++ {
		if t.meets(level-1, i, b) {
			return true
		}
	}
	return false
}

func (t *Tree) search(level, node int, b Box, into []int32) []int32 {
	if !t.levels[level][node].Overlaps(b) {
		return into
	}
	from := node * fanOut
	if level > 0 {
		for i := from; i < min(from+fanOut, len(t.levels[level-1])); i++ {
			into = t.search(level-1, i, b, into)
		}
		return into
	}
	for _, item := range t.items[from:min(from+fanOut, len(t.items))] {
		if item.Box.Overlaps(b) {
			into = append(into, item.ID)
		}
	}
	return into
}
