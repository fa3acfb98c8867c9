package rowstore

import (
	"math"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// texts is the texts of a chunk that only grows and is read as a whole: without a pointer for
// each, of which the collector would have to be told when it is written, and which it would
// follow.
type texts struct {
	ends   []uint32 // by row: where its text ends in its block; of a block of values unspecified
	blocks []textBlock
	copies *Arena // the store's
	long   int64  // bytes of copies that are not there
	shared int    // rows in blocks of values
}

// textBlock is the texts of consecutive rows.
type textBlock struct {
	rows   int
	text   string   // of all rows, one behind the other
	memory int      // the number of the arena's block where that is
	from   int      // and where it begins there
	values []string // instead, if they are shared
}

// copiedBytes is the length up to which texts that could be shared are copied, on average:
// that of a pointer to them.
const copiedBytes = 16

// add appends the texts of the listed rows of v, which is flat. Those that are shared stay
// where they are unless they are short; copied says that they are not.
func (t *texts) add(v *vector.Vector, rows []int32, share bool) (copied bool) {
	total := 0
	for _, row := range rows {
		if v.Valid == nil || v.Valid.Get(int(row)) {
			total += len(v.Str[row])
		}
	}
	if share && total > copiedBytes*len(rows) || uint64(total) > math.MaxUint32 {
		t.addValues(v, rows, share)
		return !share
	}
	before := len(t.ends)
	t.ends = append(t.ends, make([]uint32, len(rows))...)
	memory, from := t.copies.place(total)
	if !t.continues(memory, total) {
		t.blocks = append(t.blocks, textBlock{memory: memory, from: from})
	}
	last := &t.blocks[len(t.blocks)-1]
	last.rows += len(rows)
	last.text = t.copies.join(v, rows, last.from, t.ends[before:])
	return true
}

// continues reports whether copies in this memory are behind those of the last block: nobody but
// the chunk that grows writes there.
func (t *texts) continues(memory, total int) bool {
	if len(t.blocks) == 0 {
		return false
	}
	last := &t.blocks[len(t.blocks)-1]
	return last.values == nil && last.memory == memory && uint64(len(last.text)+total) <= math.MaxUint32
}

func (t *texts) addValues(v *vector.Vector, rows []int32, share bool) {
	values := make([]string, len(rows))
	for i, row := range rows {
		if v.Valid != nil && !v.Valid.Get(int(row)) {
			continue
		}
		if values[i] = v.Str[row]; !share {
			values[i] = strings.Clone(values[i])
			t.long += int64(len(values[i]))
		}
	}
	t.ends = append(t.ends, make([]uint32, len(rows))...)
	t.shared += len(rows)
	t.blocks = append(t.blocks, textBlock{rows: len(rows), values: values})
}

// values writes the texts of all rows to into.
func (t *texts) values(into []string) []string {
	into = vector.Resize(into, len(t.ends))
	at := 0
	for _, b := range t.blocks {
		if b.values != nil {
			at += copy(into[at:], b.values)
			continue
		}
		from := uint32(0)
		for i, end := range t.ends[at : at+b.rows] {
			into[at+i], from = b.text[from:end], end
		}
		at += b.rows
	}
	return into
}

// used is the memory that the rows need besides the texts, and held what they hold.
func (t *texts) used() int64 { return t.bytesOf(len(t.ends), len(t.blocks)) }
func (t *texts) held() int64 { return t.bytesOf(cap(t.ends), cap(t.blocks)) }

func (t *texts) bytesOf(rows, blocks int) int64 {
	return int64(rows)*4 + int64(t.shared)*16 + int64(blocks)*blockBytes
}

// blockBytes is the memory of a textBlock.
const blockBytes = 64
