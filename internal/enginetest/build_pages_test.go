package enginetest

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"time"
)

// Files of many pages, written byte by byte and with a page index.

// paged is a column of PLAIN pages; values of flat are not used.
type paged struct {
	flat
	v2    bool
	pages []onePage
	index bool // has an offset index, and a column index of INT64 bounds
	tells bool // page headers have statistics of INT64 bounds
}

// onePage is a page: its rows, its values section, and its bounds if each value has
// 8 bytes.
type onePage struct {
	rows     int
	data     []byte
	low, top int64

	// For a repeated column: data begins with the levels, of rep and def bytes.
	entries, rep, def int
}

// levels is the number of entries of a page.
func (p onePage) levels() int {
	if p.entries > 0 {
		return p.entries
	}
	return p.rows
}

// header is the header of a page with size bytes of data.
func (p paged) header(page onePage, size int) []byte {
	var h thrift
	kind, part := 0, 5
	if p.v2 {
		kind, part = 3, 8
	}
	h.int(1, 5, int64(kind))
	h.int(2, 5, int64(size))
	h.int(3, 5, int64(size))
	h.head(part, 12)
	h.int(1, 5, int64(page.levels()))
	if p.v2 {
		h.int(2, 5, 0)
		h.int(3, 5, int64(page.rows))
		h.int(4, 5, 0)
		h.int(5, 5, int64(page.def))
		h.int(6, 5, int64(page.rep))
	} else {
		h.int(2, 5, 0)
		h.int(3, 5, 3)
		h.int(4, 5, 3)
	}
	if p.tells {
		statistics := 5
		if p.v2 {
			statistics = 8
		}
		h.head(statistics, 12)
		h.int(3, 6, 0) // no NULL
		h.head(5, 8)
		h.text(string(binary.LittleEndian.AppendUint64(nil, uint64(page.top))))
		h.head(6, 8)
		h.text(string(binary.LittleEndian.AppendUint64(nil, uint64(page.low))))
		h.end()
	}
	h.end()
	h.end()
	return h
}

// chunkPlace is where a chunk and its indexes lie.
type chunkPlace struct {
	at, size                      int64
	offsets, offsetsEnd, boundsAt int64
	boundsEnd                     int64
	entries                       int64 // where they are more than the rows
}

// footerOf is the end of a file: one row group of the columns at places.
func footerOf(columns []paged, places []chunkPlace, rows int64) []byte {
	var f thrift
	var schema []flat
	for _, c := range columns {
		schema = append(schema, c.flat)
	}
	f.begin(2, schema, rows)
	f.list(4, 12, 1)
	f.list(1, 12, len(columns))
	for i, c := range columns {
		p := places[i]
		f.chunk(c.flat, max(rows, p.entries), p.at, p.size)
		if c.index {
			f = f[:len(f)-1]
			f.int(4, 6, p.offsets)
			f.int(5, 5, p.offsetsEnd-p.offsets)
			f.int(6, 6, p.boundsAt)
			f.int(7, 5, p.boundsEnd-p.boundsAt)
			f.end()
		}
	}
	f.int(2, 6, places[len(places)-1].at)
	f.int(3, 6, rows)
	f.end()
	f.list(7, 12, len(columns)) // column orders: that of the types
	for range columns {
		f.head(1, 12)
		f.end()
		f.end()
	}
	f.end()
	return append(binary.LittleEndian.AppendUint32(f, uint32(len(f))), "PAR1"...)
}

// pagedFile is a file of the columns.
func pagedFile(columns ...paged) []byte {
	file := []byte("PAR1")
	var places []chunkPlace
	rows := int64(0)
	for _, c := range columns {
		place := chunkPlace{at: int64(len(file))}
		var offsets, nulls, low, top thrift
		first := int64(0)
		for _, p := range c.pages {
			at := len(file)
			file = append(append(file, c.header(p, len(p.data))...), p.data...)
			offsets.int(1, 6, int64(at))
			offsets.int(2, 5, int64(len(file)-at))
			offsets.int(3, 6, first)
			offsets.end()
			nulls = append(nulls, 2)
			low.text(string(binary.LittleEndian.AppendUint64(nil, uint64(p.low))))
			top.text(string(binary.LittleEndian.AppendUint64(nil, uint64(p.top))))
			first += int64(p.rows)
			place.entries += int64(p.levels())
		}
		rows, place.size = first, int64(len(file))-place.at
		if c.index {
			var w thrift
			w.list(1, 12, len(c.pages))
			w = append(append(w, offsets...), 0)
			place.offsets = int64(len(file))
			file = append(file, w...)
			place.offsetsEnd, w = int64(len(file)), nil
			w.list(1, 1, len(c.pages))
			w = append(w, nulls...)
			w.list(2, 8, len(c.pages))
			w = append(w, low...)
			w.list(3, 8, len(c.pages))
			w = append(w, top...)
			w.int(4, 5, 0) // in no order
			w.end()
			place.boundsAt = int64(len(file))
			file = append(file, w...)
			place.boundsEnd = int64(len(file))
		}
		places = append(places, place)
	}
	return append(file, footerOf(columns, places, rows)...)
}

// madeFile is a file system with one file, whose bytes are made when they are read.
type madeFile struct {
	name string
	size int64
	fill func(p []byte, off int64)
}

func (f madeFile) Open(name string) (fs.File, error) {
	if name != f.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f, nil
}

func (f madeFile) ReadAt(p []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(p)), f.size-off)))
	f.fill(p[:n], off)
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f madeFile) Read([]byte) (int, error)   { return 0, errors.ErrUnsupported }
func (f madeFile) Close() error               { return nil }
func (f madeFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f madeFile) Name() string               { return f.name }
func (f madeFile) Size() int64                { return f.size }
func (f madeFile) Mode() fs.FileMode          { return 0o444 }
func (f madeFile) ModTime() time.Time         { return time.Unix(1, 0) }
func (f madeFile) IsDir() bool                { return false }
func (f madeFile) Sys() any                   { return nil }
