package rowstore

import (
	"slices"

	"github.com/parquetsql/parquetsql/vector"
)

// texts is the texts of a chunk that only grows and is read as a whole: without a pointer for
// each, of which the collector would have to be told when it is written, and which it would
// follow.
type texts struct {
	rows   int
	blocks []textBlock
	copies *textMemory // the store's
	shared int         // rows in blocks of values
	coded  int         // rows in blocks of codes
}

// textMemory is the memory of the texts of all chunks of a column.
type textMemory struct {
	Arena
	dict  *vector.Vector // the last one of blocks of codes
	dicts int64          // the memory of all of them
}

// Bytes is the memory that the texts hold.
func (m *textMemory) Bytes() int64 { return m.Arena.Bytes() + m.dicts }

// textBlock is the texts of consecutive rows.
type textBlock struct {
	rows   int
	text   string   // of all rows, one behind the other, each with its length in front
	memory int      // the number of the arena's block where that is
	from   int      // and where it begins there
	values []string // instead, if they are shared

	codes []int32 // or instead, of dict
	dict  *vector.Vector
}

// copiedBytes is the length up to which texts that could be shared are copied, on average:
// that of a pointer to them.
const copiedBytes = 16

// add appends the texts of the listed rows of v, which is flat. Those that are shared stay
// where they are unless they are short; copied says that they are not.
func (t *texts) add(v *vector.Vector, rows []int32, share bool) (copied bool) {
	total, lengths := 0, len(rows)
	for _, row := range rows {
		if v.Valid == nil || v.Valid.Get(int(row)) {
			n := len(v.Str[row])
			total += n
			for ; n >= 0x80; n >>= 7 {
				lengths++
			}
		}
	}
	t.rows += len(rows)
	if share && total > copiedBytes*len(rows) {
		t.addValues(v, rows)
		return false
	}
	memory, from := t.copies.place(total + lengths)
	if !t.continues(memory) {
		t.blocks = append(t.blocks, textBlock{memory: memory, from: from})
	}
	last := &t.blocks[len(t.blocks)-1]
	last.rows += len(rows)
	last.text = t.copies.join(v, rows, last.from)
	return true
}

// continues reports whether copies in this memory are behind those of the last block: nobody but
// the chunk that grows writes there.
func (t *texts) continues(memory int) bool {
	if len(t.blocks) == 0 {
		return false
	}
	last := &t.blocks[len(t.blocks)-1]
	return last.values == nil && last.dict == nil && last.memory == memory
}

// entriesPerRow is how many entries a dictionary may have for each row of a batch, so that its codes are kept. One of
// which few rows are left would take more memory than their texts.
const entriesPerRow = 16

// packRows appends the texts of the listed rows of v, of the first n if rows is nil. Those of v's
// own that are long stay where they are.
func (c *Column) packRows(v *vector.Vector, rows []int32, n int) error {
	v.Keep()
	if c.texts == nil {
		c.texts = &texts{copies: c.copies}
	}
	run := []vector.Run{{To: &c.Vec, N: n}}
	if rows == nil {
		rows = firstRows(n)
	}
	switch owner := v.Owner(); {
	case v.Form == vector.Dictionary && owner != vector.Lent && (v.Dict == c.copies.dict || v.Dict.Len <= entriesPerRow*n):
		c.texts.addCodes(v, rows)
	case v.Form == vector.Flat && v.Type.Storage() == vector.StoreString:
		if !c.texts.add(v, rows, owner == vector.Owned) {
			for _, row := range rows {
				c.shared += v.TextBytes(int(row))
			}
		}
	default:
		flat := Column{Vec: vector.Vector{Type: c.Vec.Type}, Borrow: true, Share: true}
		if err := flat.Append(v, rows); err != nil {
			return err
		}
		c.texts.add(&flat.Vec, firstRows(n), false)
	}
	return v.ScatterValidity(rows, run)
}

// firstRows lists the first n rows of a vector.
func firstRows(n int) []int32 {
	if n > len(counted) {
		return countTo(n)
	}
	return counted[:n]
}

// counted is the rows of a batch, and of none that is longer.
var counted = countTo(vector.BatchSize)

func countTo(n int) []int32 {
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// addCodes appends the codes of the listed rows of v, whose dictionary stays.
func (t *texts) addCodes(v *vector.Vector, rows []int32) {
	if t.copies.dict != v.Dict {
		t.copies.dict = v.Dict
		t.copies.dicts += 16*int64(v.Dict.Len) + v.Dict.TextBytesOf(0, v.Dict.Len)
	}
	if k := len(t.blocks); k == 0 || t.blocks[k-1].dict != v.Dict {
		t.blocks = append(t.blocks, textBlock{dict: v.Dict})
	}
	last := &t.blocks[len(t.blocks)-1]
	last.rows, t.rows, t.coded = last.rows+len(rows), t.rows+len(rows), t.coded+len(rows)
	at := len(last.codes)
	last.codes = slices.Grow(last.codes, len(rows))[:at+len(rows)]
	for i, row := range rows {
		last.codes[at+i] = v.Codes[row]
	}
}

// dictionary is the block of all rows if they are codes of one dictionary; else nil.
func (t *texts) dictionary() *textBlock {
	if len(t.blocks) == 1 && t.blocks[0].dict != nil {
		return &t.blocks[0]
	}
	return nil
}

func (t *texts) addValues(v *vector.Vector, rows []int32) {
	values := make([]string, len(rows))
	for i, row := range rows {
		if v.Valid == nil || v.Valid.Get(int(row)) {
			values[i] = v.Str[row]
		}
	}
	t.shared += len(rows)
	t.blocks = append(t.blocks, textBlock{rows: len(rows), values: values})
}

// values writes the texts of all rows to into.
func (t *texts) values(into []string) []string {
	into = vector.Resize(into, t.rows)
	at := 0
	for _, b := range t.blocks {
		if b.values != nil {
			at += copy(into[at:], b.values)
			continue
		}
		if b.dict != nil {
			for i, code := range b.codes {
				into[at+i] = b.dict.Str[code]
			}
			at += b.rows
			continue
		}
		rest := b.text
		for i := range into[at : at+b.rows] {
			n := int(rest[0])
			if rest = rest[1:]; n >= 0x80 {
				n, rest = longLength(n, rest)
			}
			into[at+i], rest = rest[:n], rest[n:]
		}
		at += b.rows
	}
	return into
}

// longLength is a length of several bytes, of which first is the first one and text has the
// others, and what is behind it.
func longLength(first int, text string) (n int, rest string) {
	n = first & 0x7f
	for shift := 7; ; shift += 7 {
		b := int(text[0])
		n, text = n|b&0x7f<<shift, text[1:]
		if b < 0x80 {
			return n, text
		}
	}
}

// used is the memory that the rows need besides the copies, and held what they hold.
func (t *texts) used() int64 { return t.bytesOf(len(t.blocks)) }
func (t *texts) held() int64 { return t.bytesOf(cap(t.blocks)) }

func (t *texts) bytesOf(blocks int) int64 {
	return int64(t.shared)*16 + int64(t.coded)*4 + int64(blocks)*blockBytes
}

// blockBytes is the memory of a textBlock.
const blockBytes = 96
