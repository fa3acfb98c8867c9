package deletion

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// The numbers that the formats begin with.
const (
	magic        = 1681511377
	magicFirst   = 1681511376 // of the form before the one that is specified
	cookieNoRuns = 12346
	cookieRuns   = 12347

	offsetsFrom = 4    // containers, from where on there are offsets with runs too
	arrayMost   = 4096 // rows of a container that is a list
	bitmapBytes = containerRows / 8
)

var errShort = errors.New("its bytes end too early")

// Decode reads the bytes of a vector, which are a Set and nothing else. The Set shares no memory
// with them.
func Decode(data []byte) (*Set, error) {
	d := &decoder{data: data, set: Set{last: -1}}
	switch b := d.take(4); {
	case b == nil:
	case binary.LittleEndian.Uint32(b) == magic:
		d.buckets(d.uint64())
	case binary.BigEndian.Uint32(b) == magicFirst:
		d.first(binary.BigEndian)
	case binary.LittleEndian.Uint32(b) == magicFirst:
		d.first(binary.LittleEndian)
	default:
		return nil, fmt.Errorf("a deletion vector begins with %x, which is not its magic number", b)
	}
	if d.err == nil && len(d.data) > 0 {
		d.err = fmt.Errorf("%d bytes follow it", len(d.data))
	}
	if d.err != nil {
		return nil, fmt.Errorf("a deletion vector of %d bytes: %w", len(data), d.err)
	}
	return &d.set, nil
}

// decoder takes numbers from the front of data; after an error they are 0.
type decoder struct {
	data []byte
	set  Set
	err  error
}

// take is the next n bytes, nil if they are not there.
func (d *decoder) take(n int) []byte {
	if d.err != nil || n > len(d.data) {
		d.err = errors.Join(d.err, errShort)
		return nil
	}
	out := d.data[:n]
	d.data = d.data[n:]
	return out
}

func (d *decoder) uint16() uint16 {
	if b := d.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (d *decoder) uint32() uint32 {
	if b := d.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (d *decoder) uint64() uint64 {
	if b := d.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// buckets reads the specified form.
func (d *decoder) buckets(count uint64) {
	last := int64(-1)
	for i := uint64(0); i < count && d.err == nil; i++ {
		key := int64(d.uint32())
		if d.err == nil && (key <= last || key > 1<<31-1) {
			d.err = fmt.Errorf("bucket %d follows bucket %d", key, last)
			return
		}
		last = key
		d.bitmap(key)
	}
}

// first reads the form before that, in which the specification's own example of an inline vector
// is: the number of bitmaps, then the length of each before it. The n-th one is bucket n.
func (d *decoder) first(order binary.ByteOrder) {
	var count uint32
	if b := d.take(4); b != nil {
		count = order.Uint32(b)
	}
	for key := int64(0); key < int64(count) && d.err == nil; key++ {
		b := d.take(4)
		if b == nil {
			return
		}
		before, size := len(d.data), order.Uint32(b)
		if d.bitmap(key); d.err == nil && int64(before-len(d.data)) != int64(size) {
			d.err = fmt.Errorf("bitmap %d has %d bytes, not %d", key, before-len(d.data), size)
		}
	}
}

// bitmap reads a 32-bit Roaring bitmap of the bucket key. What the offsets say follows from the
// header, so they are passed.
func (d *decoder) bitmap(key int64) {
	cookie := d.uint32()
	var count int
	var ofRuns []byte
	switch {
	case d.err != nil:
		return
	case cookie == cookieNoRuns:
		count = int(min(d.uint32(), containerRows+1))
	case cookie&0xffff == cookieRuns:
		count = int(cookie>>16) + 1
		ofRuns = d.take((count + 7) / 8)
	default:
		d.err = fmt.Errorf("a Roaring bitmap begins with %d", cookie)
		return
	}
	if count > containerRows {
		d.err = fmt.Errorf("a Roaring bitmap has more than %d containers", containerRows)
		return
	}
	header := d.take(4 * count)
	if ofRuns == nil || count >= offsetsFrom {
		d.take(4 * count)
	}
	last := int64(-1)
	for i := 0; i < count && d.err == nil; i++ {
		low := int64(binary.LittleEndian.Uint16(header[4*i:]))
		rows := int(binary.LittleEndian.Uint16(header[4*i+2:])) + 1
		if low <= last {
			d.err = fmt.Errorf("container %d of a Roaring bitmap follows container %d", low, last)
			return
		}
		last = low
		d.container(key<<16|low, rows, ofRuns != nil && ofRuns[i/8]>>(i%8)&1 != 0)
	}
}

// container reads a container and checks that it has as many rows as the header says, ascending.
func (d *decoder) container(high int64, rows int, ofRuns bool) {
	c := container{high: high}
	var have int
	switch {
	case ofRuns:
		have = d.runs(&c)
	case rows <= arrayMost:
		have = d.array(&c, rows)
	default:
		have = d.bits(&c)
	}
	if d.err == nil && have != rows {
		d.err = fmt.Errorf("a container of a Roaring bitmap has %d rows, its header says %d", have, rows)
	}
	d.set.containers = append(d.set.containers, c)
	d.set.rows += int64(rows)
	for r := range c.ranges(0) {
		d.set.last = high*containerRows + int64(r.last)
	}
}

func (d *decoder) runs(c *container) (rows int) {
	list := d.take(4 * int(d.uint16()))
	c.runs = make([]run, len(list)/4)
	before := -2
	for i := range c.runs {
		from := int(binary.LittleEndian.Uint16(list[4*i:]))
		last := from + int(binary.LittleEndian.Uint16(list[4*i+2:]))
		if from <= before || last >= containerRows {
			d.err = errors.New("the runs of a container do not ascend")
			return 0
		}
		c.runs[i] = run{uint16(from), uint16(last)}
		rows, before = rows+last-from+1, last
	}
	return rows
}

func (d *decoder) array(c *container, rows int) int {
	list := d.take(2 * rows)
	c.array = make([]uint16, len(list)/2)
	for i := range c.array {
		c.array[i] = binary.LittleEndian.Uint16(list[2*i:])
		if i > 0 && c.array[i] <= c.array[i-1] {
			d.err = errors.New("the rows of a container do not ascend")
			return 0
		}
	}
	return len(c.array)
}

func (d *decoder) bits(c *container) (rows int) {
	words := d.take(bitmapBytes)
	c.bitmap = make([]uint64, bitmapBytes/8)
	for i := 0; i < len(words)/8; i++ {
		c.bitmap[i] = binary.LittleEndian.Uint64(words[8*i:])
		rows += bits.OnesCount64(c.bitmap[i])
	}
	return rows
}
