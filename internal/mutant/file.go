package mutant

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
)

var errFile = errors.New("not a file that can be split")

// layout is a file in parts: what comes before the footer, and the footer.
type layout struct {
	body   []byte
	footer *value
}

func split(data []byte) (*layout, error) {
	if len(data) < 12 || string(data[len(data)-4:]) != "PAR1" {
		return nil, errFile
	}
	size := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	if size > len(data)-12 {
		return nil, errFile
	}
	body := data[:len(data)-8-size]
	footer, _, err := parseStruct(data[len(body) : len(data)-8])
	return &layout{body: body[:len(body):len(body)], footer: footer}, err
}

// put makes the file again.
func (l *layout) put() []byte {
	footer := l.footer.appendTo(nil)
	out := append(l.body[:len(l.body):len(l.body)], footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...)
}

// chunk is a random column chunk, nil if there is none in the file.
func (l *layout) chunk(r *rand.Rand) *value {
	groups := l.footer.get(4)
	if groups == nil || len(groups.list) == 0 {
		return nil
	}
	columns := groups.list[r.IntN(len(groups.list))].get(1)
	if columns == nil || len(columns.list) == 0 {
		return nil
	}
	return &columns.list[r.IntN(len(columns.list))]
}

// page is one page: its header, and its levels and values without compression.
type page struct {
	header *value
	levels []byte // of data pages of version 2, which are not compressed
	data   []byte
	packed bool // data is compressed in the file
	opaque bool // data is as it is in the file, compressed by a codec that is not known here
}

// pages are those of a chunk.
func (l *layout) pages(chunk *value) ([]page, error) {
	from := chunk.numberOf(-1, 3, 9)
	if d := chunk.numberOf(0, 3, 11); d > 0 {
		from = min(from, d)
	}
	size := chunk.numberOf(-1, 3, 7)
	if from < 4 || size < 0 || from > int64(len(l.body)) || size > int64(len(l.body))-from {
		return nil, errFile
	}
	var out []page
	for in := l.body[from : from+size]; len(in) > 0; {
		header, n, err := parseStruct(in)
		if err != nil {
			return nil, err
		}
		in = in[n:]
		size := header.numberOf(-1, 3)
		if size < 0 || size > int64(len(in)) {
			return nil, errFile
		}
		p := page{header: header, data: in[:size:size]}
		if err := p.unpack(chunk.numberOf(0, 3, 4)); err != nil {
			return nil, err
		}
		out, in = append(out, p), in[size:]
	}
	return out, nil
}

// unpack divides the bytes of a page and decompresses them.
func (p *page) unpack(codec int64) error {
	rest := p.header.numberOf(0, 2)
	if v2 := p.header.get(8); v2 != nil {
		levels := v2.numberOf(0, 5) + v2.numberOf(0, 6)
		if levels < 0 || levels > int64(len(p.data)) {
			return errFile
		}
		p.levels, p.data = p.data[:levels:levels], p.data[levels:]
		rest -= levels
		if c := v2.get(7); c != nil && c.typ == typeFalse {
			codec = 0
		}
	}
	c, known := codecs[codec]
	if !known || len(p.data) == 0 || rest <= 0 || rest > 16<<20 {
		p.opaque = codec != 0
		return nil
	}
	plain, err := c.decode(p.data, int(rest))
	p.packed, p.data = true, plain
	return err
}

// appendTo writes the page, with the sizes and the checksum that it has now.
func (p *page) appendTo(dst []byte, codec int64) []byte {
	data := p.data
	if p.packed {
		data = codecs[codec].encode(data)
	}
	if !p.opaque {
		p.header.set(int64(len(p.levels)+len(p.data)), 2)
	}
	p.header.set(int64(len(p.levels)+len(data)), 3)
	sum := crc32.ChecksumIEEE(p.levels)
	p.header.set(int64(int32(crc32.Update(sum, crc32.IEEETable, data))), 4)
	dst = p.header.appendTo(dst)
	return append(append(dst, p.levels...), data...)
}

// move writes the pages of the chunk behind everything else, and lets the footer point
// there. The old ones stay, so that nothing else moves. Page indexes would tell of the old
// ones: they are dropped.
func (l *layout) move(chunk *value, pages []page) {
	first := int64(len(l.body))
	data := int64(-1)
	for i := range pages {
		if data < 0 && pages[i].header.numberOf(0, 1) != 2 {
			data = int64(len(l.body))
		}
		l.body = pages[i].appendTo(l.body, chunk.numberOf(0, 3, 4))
	}
	if chunk.numberOf(0, 3, 11) > 0 {
		chunk.set(first, 3, 11)
	} else { // the dictionary, if there is one, is where the data begins
		data = first
	}
	chunk.set(data, 3, 9)
	chunk.set(int64(len(l.body))-first, 3, 7)
	chunk.drop(4, 5, 6, 7)
}
