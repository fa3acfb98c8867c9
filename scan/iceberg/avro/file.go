package avro

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/golang/snappy"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/internal/bounded"
)

// File is an object container file.
type File struct {
	Metadata map[string]string // of the keys that were asked for
	Schema   *Schema           // of a record
	blocks   []byte
	mark     []byte
	codec    string
	budget   *quota.Budget
	block    []byte // of the block that was decompressed last
}

const (
	magic   = "Obj\x01"
	markLen = 16
	// maxBlock bounds the bytes of a block that was decompressed. Writers make blocks of some
	// 64 KiB.
	maxBlock = 64 << 20
	// maxSnappy is how many bytes a byte of Snappy may become: a copy of 64 bytes takes three.
	maxSnappy = 22
)

// Open reads the head of a file, with the metadata of some keys. What the blocks take when they are
// decompressed is charged.
func Open(data []byte, b *quota.Budget, keys ...string) (*File, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, fmt.Errorf("it is no Avro file: it begins with %q", data[:min(len(data), len(magic))])
	}
	f := &File{Metadata: map[string]string{}, codec: "null", budget: b}
	d := NewDecoder(rest)
	var schema []byte
	d.blocks(func() {
		key := string(d.take(d.long()))
		switch value := d.take(d.long()); key {
		case "avro.schema":
			schema = value
		case "avro.codec":
			f.codec = string(value)
		default:
			if slices.Contains(keys, key) {
				f.Metadata[key] = string(value)
			}
		}
	})
	f.mark = d.take(markLen)
	if f.blocks = d.data; d.err != nil {
		return nil, fmt.Errorf("the head of an Avro file: %w", d.err)
	}
	free, err := bounded.JSON(schema, b)
	if err != nil {
		return nil, fmt.Errorf("the schema: %w", err)
	}
	defer free()
	if f.Schema, err = parseSchema(schema); err != nil {
		return nil, err
	}
	switch f.codec {
	case "null", "deflate", "snappy", "zstandard":
	default:
		return nil, errs.Unsupported("the codec %q of Avro files", f.codec)
	}
	return f, nil
}

// Each calls record for each record, which has to take it, and to copy what it keeps: the memory of a
// block is used again.
func (f *File) Each(record func(d *Decoder) error) error {
	defer func() {
		f.budget.Release(int64(cap(f.block)))
		f.block = nil
	}()
	for d := NewDecoder(f.blocks); d.Left() > 0; {
		records := d.long()
		data := d.take(d.long())
		if mark := d.take(markLen); d.err == nil && !bytes.Equal(mark, f.mark) {
			d.Fail(errors.New("a block does not end with the mark of the file"))
		}
		if d.err == nil && records < 0 {
			d.Fail(fmt.Errorf("a block has %d records", records))
		}
		if d.err != nil {
			return d.err
		}
		data, err := f.decompress(data)
		if err != nil {
			return fmt.Errorf("a block: %w", err)
		}
		in := NewDecoder(data)
		if records > int64(len(data)) {
			return errEmpty
		}
		for ; records > 0; records-- {
			if !in.step() {
				return in.err
			}
			if err := record(in); err != nil {
				return err
			}
			if in.err != nil {
				return in.err
			}
		}
		if in.Left() > 0 {
			return fmt.Errorf("%d bytes follow the records of a block", in.Left())
		}
	}
	return nil
}

var errBomb = fmt.Errorf("it has more than %d bytes when it is decompressed", maxBlock)

func (f *File) decompress(data []byte) (_ []byte, err error) {
	switch f.codec {
	case "deflate":
		f.block, err = bounded.ReadAll(flate.NewReader(bytes.NewReader(data)), f.block, maxBlock, f.budget)
	case "zstandard":
		f.block, err = bounded.Zstd(bytes.NewReader(data), f.block, maxBlock, f.budget)
	case "snappy":
		return f.unsnappy(data)
	default:
		return data, nil
	}
	return f.block, err
}

// unsnappy decompresses a block, behind which is the CRC-32 of what it becomes.
func (f *File) unsnappy(data []byte) ([]byte, error) {
	if len(data) < 4 {
		return nil, errShort
	}
	data, sum := data[:len(data)-4], binary.BigEndian.Uint32(data[len(data)-4:])
	n, err := snappy.DecodedLen(data)
	if err != nil {
		return nil, err
	}
	if n > maxBlock || n > maxSnappy*len(data) {
		return nil, errBomb
	}
	if n > cap(f.block) {
		f.budget.Release(int64(cap(f.block)))
		f.block = nil
		if err := f.budget.Need(int64(n)); err != nil {
			return nil, err
		}
		f.block = make([]byte, n)
	}
	out, err := snappy.Decode(f.block[:cap(f.block)], data)
	if err == nil && crc32.ChecksumIEEE(out) != sum {
		err = errors.New("it does not match its checksum")
	}
	return out, err
}
