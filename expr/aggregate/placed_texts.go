package aggregate

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// placedTexts is sortableState for texts: it keeps their first bytes as an integer, and where their bytes are. Memory
// without pointers is no work for the collector, which would follow the header of each text.
type placedTexts struct {
	interrupted
	grouped[placedText]
	typ    vector.Type
	result resultOfSorted
	pick   picker
	heap   textHeap

	dict    *vector.Vector // the last dictionary of few entries,
	entries []placedText   // those that have been added,
	added   []bool         // which are these
}

// placedText is a text: its vector.RoughText, and where it is in a heap.
type placedText struct{ key, at uint64 }

// fewEntries is up to how many entries of a dictionary are looked for before they are added once more.
const fewEntries = 4 * vector.BatchSize

// longEntry is from how many bytes on an entry of a dictionary is looked for before it is copied once more.
const longEntry = 64

// Bytes implements State.
func (s *placedTexts) Bytes() int64 {
	return s.grouped.Bytes() + s.heap.bytes + int64(cap(s.entries))*16 + int64(cap(s.added))
}

// Update implements State.
func (s *placedTexts) Update(groups []uint32, args []*vector.Vector, b *vector.Batch) error {
	p := s.pick.pick(groups, args[0], b)
	if p.n == 0 {
		return nil
	}
	part := s.add(&p)
	switch {
	case args[0].Form == vector.Dictionary && p.from.Len <= fewEntries:
		part.keys = s.addEntries(part.keys, &p)
	case p.at == nil:
		for _, text := range p.from.Str[:p.n] {
			part.keys = append(part.keys, s.heap.add(text))
		}
	default:
		for _, at := range p.at[:p.n] {
			part.keys = append(part.keys, s.heap.add(p.from.Str[at]))
		}
	}
	return nil
}

// addEntries appends texts that are entries of a dictionary, each of which is added to the heap once.
func (s *placedTexts) addEntries(to []placedText, p *picked) []placedText {
	if s.dict != p.from {
		s.dict = p.from
		s.entries, s.added = vector.Resize(s.entries, p.from.Len), vector.Resize(s.added, p.from.Len)
		clear(s.added)
	}
	for _, code := range p.at[:p.n] {
		if !s.added[code] {
			s.added[code], s.entries[code] = true, s.heap.add(p.from.Str[code])
		}
		to = append(to, s.entries[code])
	}
	return to
}

// Merge implements State.
func (s *placedTexts) Merge(from State, which, to []uint32) error {
	o := from.(*placedTexts)
	moved := map[uint64]uint64{} // where long texts of dictionaries are now, which many rows may share
	return s.merge(&o.grouped, which, to, s.work, func(keys, from []placedText) []placedText {
		for _, t := range from {
			text := o.heap.text(t.at)
			if o.added == nil || len(text) < longEntry {
				keys = append(keys, placedText{t.key, s.heap.put(text)})
				continue
			}
			at, ok := moved[t.at]
			if !ok {
				at = s.heap.put(text)
				moved[t.at] = at
			}
			keys = append(keys, placedText{t.key, at})
		}
		return keys
	})
}

// ResultBytes implements Lengthy: results do not grow with the values.
func (s *placedTexts) ResultBytes(_, n int) int64 { return int64(n) * valueBytes(s.typ) }

// Result implements State.
func (s *placedTexts) Result(from, n int, out *vector.Vector) error {
	s.divide()
	value := vector.New(vector.Of(vector.Varchar), 1)
	args, p := []*vector.Vector{value}, newPlaces(nil, byText{&s.heap}, s.work)
	row := func(k int) int {
		value.Str[0] = string(s.heap.text(p.at(k).at))
		return 0
	}
	return s.resultsOf(p, s.typ, from, n, out, func(values int) (vector.Scalar, error) { return s.result(args, values, row) })
}

// textHeap is the bytes of texts, each with its length in front, in blocks.
type textHeap struct {
	blocks [][]byte
	bytes  int64
}

const (
	// leastBlock is how large the first block is; others are as large as all before, but for mostBlock.
	leastBlock = 1 << 10
	mostBlock  = 1 << 18
)

// add is put of a string.
func (h *textHeap) add(s string) placedText {
	at, block := h.room(len(s))
	*block = append(*block, s...)
	return placedText{vector.RoughText(s), at}
}

// put copies a text, and returns where it is.
func (h *textHeap) put(s []byte) uint64 {
	at, block := h.room(len(s))
	*block = append(*block, s...)
	return at
}

// room writes the length of a text, and returns where it is, and the block that has room for the text.
func (h *textHeap) room(n int) (at uint64, block *[]byte) {
	last := len(h.blocks) - 1
	if last < 0 || cap(h.blocks[last])-len(h.blocks[last]) < n+binary.MaxVarintLen64 {
		size := max(n+binary.MaxVarintLen64, min(mostBlock, max(leastBlock, int(h.bytes))))
		h.blocks = append(h.blocks, make([]byte, 0, size))
		h.bytes += int64(size)
		last++
	}
	block = &h.blocks[last]
	at = uint64(last)<<32 | uint64(len(*block))
	*block = binary.AppendUvarint(*block, uint64(n))
	return at, block
}

// text is the bytes of a text.
func (h *textHeap) text(at uint64) []byte {
	b := h.blocks[at>>32][uint32(at):]
	n, size := binary.Uvarint(b)
	return b[size : size+int(n)]
}

// byText is the order of texts.
type byText struct{ *textHeap }

func (o byText) compare(a, b placedText) int {
	switch {
	case a.key != b.key:
		return cmp.Compare(a.key, b.key)
	case a.at == b.at:
		return 0
	}
	return bytes.Compare(o.text(a.at), o.text(b.at))
}

func (o byText) before(a, b placedText) bool { return o.compare(a, b) < 0 }

func (o byText) partition(items []placedText, pivot placedText) int {
	text := o.text(pivot.at)
	i, j := 0, len(items)-1
	for {
		for items[i].key < pivot.key || items[i].key == pivot.key && items[i].at != pivot.at && bytes.Compare(o.text(items[i].at), text) < 0 {
			i++
		}
		for pivot.key < items[j].key || pivot.key == items[j].key && items[j].at != pivot.at && bytes.Compare(text, o.text(items[j].at)) < 0 {
			j--
		}
		if i >= j {
			return j + 1
		}
		items[i], items[j] = items[j], items[i]
		i, j = i+1, j-1
	}
}

func (o byText) sort(items []placedText) { slices.SortFunc(items, o.compare) }
