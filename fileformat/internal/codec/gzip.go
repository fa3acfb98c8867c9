package codec

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sync"
)

var (
	errGzipHeader   = errors.New("gzip: invalid header")
	errGzipChecksum = errors.New("gzip: data does not match its checksum")
)

var inflaters = sync.Pool{New: func() any { return new(inflater) }}

// decompressGzip decodes the members of a GZIP file one after another
// (RFC 1952, section 2.2) and checks the length and the CRC-32 of each.
func decompressGzip(dst, src []byte, size int, look *looks) ([]byte, error) {
	d := inflaters.Get().(*inflater)
	defer func() {
		d.src, d.dst, d.look = nil, nil, nil
		inflaters.Put(d)
	}()
	d.src, d.dst, d.in, d.out, d.size, d.look = src, growing(dst, src, size), 0, 0, size, look
	for d.in < len(src) {
		header, err := gzipHeader(src[d.in:])
		if err != nil {
			return nil, err
		}
		d.in += header
		if err := d.inflate(); err != nil {
			return nil, err
		}
		if len(src)-d.in < 8 {
			return nil, errInflateInput
		}
		member := d.dst[d.start:d.out]
		if crc32.ChecksumIEEE(member) != binary.LittleEndian.Uint32(src[d.in:]) || uint32(len(member)) != binary.LittleEndian.Uint32(src[d.in+4:]) {
			return nil, errGzipChecksum
		}
		d.in += 8
	}
	if d.out != size {
		return nil, errShort
	}
	return d.dst[:d.out], nil
}

// gzipHeader returns the length of the header at the start of src (section 2.3).
func gzipHeader(src []byte) (int, error) {
	const (
		headerCRC = 1 << (1 + iota)
		extra
		name
		comment
	)
	if len(src) < 10 || src[0] != 0x1F || src[1] != 0x8B || src[2] != 8 {
		return 0, errGzipHeader
	}
	flags, n := src[3], 10
	if flags&extra != 0 {
		if len(src)-n < 2 {
			return 0, errGzipHeader
		}
		n += 2 + int(binary.LittleEndian.Uint16(src[n:]))
	}
	for _, text := range []byte{name, comment} {
		if flags&text == 0 {
			continue
		}
		end := bytes.IndexByte(src[min(n, len(src)):], 0)
		if end < 0 {
			return 0, errGzipHeader
		}
		n += end + 1
	}
	if flags&headerCRC != 0 {
		if len(src)-n < 2 || uint16(crc32.ChecksumIEEE(src[:n])) != binary.LittleEndian.Uint16(src[n:]) {
			return 0, errGzipHeader
		}
		n += 2
	}
	if n > len(src) {
		return 0, errGzipHeader
	}
	return n, nil
}
