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
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// output writes the rows of an attempt, divided into partitions.
type output struct {
	to       Writer
	columns  vector.Schema
	schema   *arrow.Schema
	parts    map[uint64]*pending
	held     int
	manifest manifest
}

// pending is the rows of a partition that are not yet in the file.
type pending struct {
	cols    []*vector.Vector // fewer than a batch
	rows    int
	bytes   int // about those of cols
	segment bytes.Buffer
	writer  *travel.Writer // into segment; nil: nothing is in it
}

// add takes rows of a batch. partitions nil: all are of the first.
func (o *output) add(b *vector.Batch, partitions []uint64) error {
	byPart := map[uint64][]int32{}
	for i := range b.Rows() {
		p := uint64(0)
		if partitions != nil {
			p = partitions[i]
		}
		byPart[p] = append(byPart[p], int32(b.Row(i)))
	}
	o.manifest.Rows += int64(b.Rows())
	for p, rows := range byPart {
		if err := o.addTo(p, b, rows); err != nil {
			return err
		}
	}
	return nil
}

// addTo takes rows of one partition.
func (o *output) addTo(number uint64, b *vector.Batch, rows []int32) error {
	p := o.parts[number]
	if p == nil {
		p = &pending{}
		o.parts[number] = p
	}
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
	for n < len(rows) && n < vector.BatchSize-p.rows && p.bytes+bytes < segmentBytes {
		for _, c := range b.Cols {
			bytes += 8 + int(c.TextBytes(int(rows[n])))
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

// write puts a batch of a partition into its segment.
func (o *output) write(number uint64, p *pending) error {
	if p.writer == nil {
		p.writer = travel.NewWriter(&p.segment, o.columns, o.schema)
	}
	before := p.segment.Len()
	if err := p.writer.Write(p.cols, p.rows); err != nil {
		return err
	}
	o.held += p.segment.Len() - before - p.bytes
	p.cols, p.rows, p.bytes = nil, 0, 0
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
