package fragments

import (
	"bytes"
	"hash/crc32"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parquetsql/parquetsql/fragments/internal/travel"
	"github.com/parquetsql/parquetsql/vector"
)

const (
	// segmentBytes is about the least length of a segment: a reader reads each with one request.
	segmentBytes = 256 << 10
	// heldBytes is how many bytes of segments of all partitions wait for more at most.
	heldBytes = 64 << 20
	// directRows is how many rows a batch has at least that is written as it is. Smaller ones are put together:
	// each costs as much again for what is about it.
	directRows = vector.BatchSize / 2
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// output writes the rows of an attempt, divided into partitions.
type output struct {
	to       Writer
	columns  vector.Schema
	schema   *arrow.Schema
	parts    map[uint64]*pending
	touched  []uint64 // the partitions that a batch has rows of
	held     int
	manifest manifest
}

// pending is the rows of a partition that are not yet in the file.
type pending struct {
	selected []int32 // of the batch that is being added

	cols    []*vector.Vector // fewer than a batch
	rows    int
	bytes   int // about those of cols
	segment bytes.Buffer
	writer  *travel.Writer // into segment; nil: nothing is in it
}

// add takes rows of a batch. partitions nil: all are of the first.
func (o *output) add(b *vector.Batch, partitions []uint64) error {
	o.manifest.Rows += int64(b.Rows())
	if partitions == nil {
		return o.addFirst(b)
	}
	for i := range b.Rows() {
		p := o.part(partitions[i])
		if len(p.selected) == 0 {
			o.touched = append(o.touched, partitions[i])
		}
		p.selected = append(p.selected, int32(b.Row(i)))
	}
	for _, number := range o.touched {
		p := o.parts[number]
		if err := o.addTo(number, b, p.selected); err != nil {
			return err
		}
		p.selected = p.selected[:0]
	}
	o.touched = o.touched[:0]
	return nil
}

// addFirst takes all rows of a batch for the first partition: those of one that is large without a copy.
func (o *output) addFirst(b *vector.Batch) error {
	p := o.part(0)
	if p.rows > 0 || b.Rows() < directRows || b.TextBytes() > segmentBytes {
		rows := make([]int32, b.Rows())
		for i := range rows {
			rows[i] = int32(b.Row(i))
		}
		return o.addTo(0, b, rows)
	}
	cols := make([]*vector.Vector, len(b.Cols))
	for i, v := range b.Cols {
		if v.Form == vector.Flat && b.Sel == nil {
			cols[i] = v
			continue
		}
		cols[i] = &vector.Vector{}
		if err := cols[i].Gather(v, b.Sel); err != nil {
			return err
		}
	}
	return o.writeRows(0, p, cols, b.Rows())
}

// part is the rows of a partition that wait.
func (o *output) part(number uint64) *pending {
	p := o.parts[number]
	if p == nil {
		p = &pending{}
		o.parts[number] = p
	}
	return p
}

// addTo takes rows of one partition.
func (o *output) addTo(number uint64, b *vector.Batch, rows []int32) error {
	p := o.parts[number]
	for len(rows) > 0 {
		if p.cols == nil {
			for _, c := range o.columns {
				p.cols = append(p.cols, vector.New(c.Type, 0))
			}
		}
		n, bytes := p.room(b, rows)
		some := rows[:n]
		rows = rows[n:]
		for i, v := range b.Cols {
			if err := p.cols[i].AppendOwned(v, some, cloned); err != nil {
				return err
			}
		}
		p.rows, p.bytes, o.held = p.rows+n, p.bytes+bytes, o.held+bytes
		if p.rows == vector.BatchSize || p.bytes >= segmentBytes {
			if err := o.write(number, p); err != nil {
				return err
			}
		}
		if o.held >= heldBytes {
			if err := o.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// room is how many of the rows the batch of a partition takes, and about how many bytes they have.
func (p *pending) room(b *vector.Batch, rows []int32) (n, bytes int) {
	var texts []*vector.Vector
	for _, c := range b.Cols {
		if c.Type.Storage() == vector.StoreString || c.Type.Storage() == vector.StoreNested {
			texts = append(texts, c)
		}
	}
	most := min(len(rows), vector.BatchSize-p.rows)
	for n < most && p.bytes+bytes < segmentBytes {
		bytes += 8 * len(b.Cols)
		for _, c := range texts {
			bytes += int(c.TextBytes(int(rows[n])))
		}
		n++
	}
	return n, bytes
}

// cloned makes texts that outlive their batch.
func cloned(texts []string) {
	for i, s := range texts {
		texts[i] = strings.Clone(s)
	}
}

// write puts the rows of a partition that wait into its segment.
func (o *output) write(number uint64, p *pending) error {
	o.held -= p.bytes
	err := o.writeRows(number, p, p.cols, p.rows)
	p.cols, p.rows, p.bytes = nil, 0, 0
	return err
}

// writeRows puts a batch of a partition into its segment.
func (o *output) writeRows(number uint64, p *pending, cols []*vector.Vector, rows int) error {
	if p.writer == nil {
		p.writer = travel.NewWriter(&p.segment, o.columns, o.schema)
	}
	before := p.segment.Len()
	if err := p.writer.Write(cols, rows); err != nil {
		return err
	}
	o.held += p.segment.Len() - before
	if p.segment.Len() >= segmentBytes {
		return o.end(number, p)
	}
	return nil
}

// end writes the segment of a partition.
func (o *output) end(number uint64, p *pending) error {
	before := p.segment.Len()
	if err := p.writer.Close(); err != nil {
		return err
	}
	o.held -= before
	data := p.segment.Bytes()
	if _, err := o.to.Write(data); err != nil {
		return err
	}
	o.manifest.Segments = append(o.manifest.Segments, segment{Partition: number, Offset: o.manifest.Bytes, Length: int64(len(data)), Sum: crc32.Checksum(data, castagnoli)})
	o.manifest.Bytes += int64(len(data))
	p.segment.Reset()
	p.writer = nil
	return nil
}

// flush writes all that waits.
func (o *output) flush() error {
	for number, p := range o.parts {
		if p.rows > 0 {
			if err := o.write(number, p); err != nil {
				return err
			}
		}
		if p.writer != nil {
			if err := o.end(number, p); err != nil {
				return err
			}
		}
	}
	return nil
}
