package fileformat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/fileformat/internal/thrift"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
)

const (
	magic          = "PAR1"
	encryptedMagic = "PARE" // the footer is encrypted (Encryption.md, section 5.4)
	tailSize       = 8      // footer length and magic

	// tailGuess is read first where Options say nothing; most footers are not longer.
	tailGuess = 32 << 10
)

// ErrTruncated says that a file is shorter than the size that it was opened with.
var ErrTruncated = errors.New("the file ends before its size says")

// readFull fills p from off. Reading less is corruption: the range was checked
// against the file's size.
func (f *File) readFull(r io.ReaderAt, p []byte, off int64) error {
	n, err := r.ReadAt(p, off)
	switch {
	case n == len(p):
		return nil
	case err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return f.corrupt(-1, "", off+int64(n), ErrTruncated)
	}
	return fmt.Errorf("reading file %q at %d: %w", f.options.Name, off, err)
}

// readFooter returns the bytes of FileMetaData and sets dataEnd.
func (f *File) readFooter(r io.ReaderAt) ([]byte, error) {
	if f.size < int64(len(magic))+tailSize {
		return nil, f.corrupt(-1, "", -1, f.tooSmall(r))
	}
	tail := make([]byte, min(f.size, max(tailSize, cmp.Or(f.options.Tail, tailGuess))))
	tailStart := f.size - int64(len(tail))
	if err := f.readFull(r, tail, tailStart); err != nil {
		return nil, err
	}
	end := tail[len(tail)-tailSize:]
	if err := f.checkMagic(r, tail, string(end[4:])); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	f.dataEnd = f.size - tailSize - length
	if f.dataEnd < int64(len(magic)) || length > math.MaxInt32 {
		return nil, f.corrupt(-1, "", f.size-tailSize, fmt.Errorf("a footer of %d bytes in a file of %d", length, f.size))
	}
	f.footerSize = int(length)
	if most := f.options.Memory; most > 0 && length > most/footerShare {
		return nil, f.tooLarge()
	}
	if f.dataEnd >= tailStart {
		at := f.dataEnd - tailStart
		footer := make([]byte, length) // a copy, so that the guess is not kept
		copy(footer, tail[at:])
		return footer, nil
	}
	// A sparse file may state any size, so memory grows with the bytes that are read.
	footer, err := readGrowing(io.NewSectionReader(r, f.dataEnd, length), int(length))
	if err != nil {
		return nil, fmt.Errorf("reading file %q at %d: %w", f.options.Name, f.dataEnd, err)
	}
	if len(footer) < int(length) {
		return nil, f.corrupt(-1, "", f.dataEnd+int64(len(footer)), ErrTruncated)
	}
	return footer, nil
}

// growStep is the most memory that is allocated ahead of the bytes already read.
const growStep = 16 << 20

// readGrowing reads n bytes, or fewer if the input ends before.
func readGrowing(r io.Reader, n int) ([]byte, error) {
	var buf []byte
	for len(buf) < n {
		at := len(buf)
		step := min(n-at, growStep)
		buf = slices.Grow(buf, step)[:at+step]
		got, err := io.ReadFull(r, buf[at:])
		if got < step {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return buf[:at+got], nil
			}
			return nil, err
		}
	}
	return buf, nil
}

// checkMagic checks the last four bytes, and the first four where they were read with the
// tail: another read only for them would be as long as that of a footer. Of what is no
// Parquet file the head is read, to say what it is.
func (f *File) checkMagic(r io.ReaderAt, tail []byte, end string) error {
	f.footerEncrypted = end == encryptedMagic
	known := end == magic || end == encryptedMagic
	head := tail
	if int64(len(tail)) < f.size {
		if known {
			return nil
		}
		head = make([]byte, headBytes)
		if err := f.readFull(r, head, 0); err != nil {
			return err
		}
	}
	head = head[:min(len(head), headBytes)]
	switch {
	case !known:
		return f.corrupt(-1, "", f.size-int64(len(magic)), notParquet(head, end))
	case string(head[:len(magic)]) != end:
		return f.corrupt(-1, "", 0, notParquet(head, end))
	}
	return nil
}

// tooSmall is the error of a file that has less bytes than the frame of a Parquet file.
func (f *File) tooSmall(r io.ReaderAt) error {
	if f.size == 0 {
		return errors.New("not a Parquet file: it is empty")
	}
	head := make([]byte, f.size)
	if err := f.readFull(r, head, 0); err == nil && !bytes.HasPrefix(head, []byte(magic)) {
		if format := foreign(head); format != "" {
			return fmt.Errorf("not a Parquet file: it looks like %s", format)
		}
	}
	return fmt.Errorf("not a Parquet file: %s are too few", errs.Count(int(f.size), "byte"))
}

// tooLarge is the error of a footer that takes more than Options.Memory.
func (f *File) tooLarge() error {
	return fmt.Errorf("file %q: %w: what its footer of %d bytes says takes more than the %d that the limit leaves; raise memory_limit",
		f.options.Name, errs.ErrMemoryLimit, f.footerSize, f.options.Memory)
}

// parse reads FileMetaData and checks that its parts agree.
func (f *File) parse(ctx context.Context, footer []byte) error {
	r := &footerReader{Reader: thrift.NewReader(footer), ticker: quota.NewTicker(ctx, quota.NodesPerLook), memory: f.options.Memory, held: footerShare * int64(len(footer))}
	r.fileMetaData()
	switch err := r.Err(); {
	case errors.Is(err, errs.ErrMemoryLimit):
		return f.tooLarge()
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		at := f.dataEnd
		if !f.footerEncrypted {
			at += int64(r.Pos())
		}
		return f.corrupt(-1, "", at, fmt.Errorf("footer: %w", err))
	}
	if !f.footerEncrypted {
		if err := f.verifyFooter(ctx, r, footer[r.Pos():]); err != nil {
			return err
		}
	}
	schema, err := buildSchema(r.elements, len(footer))
	if errors.Is(err, errs.ErrUnsupported) {
		return fmt.Errorf("file %q: %w", f.options.Name, err)
	}
	if err != nil {
		return f.corrupt(-1, "", f.dataEnd, fmt.Errorf("footer: %w", err))
	}
	f.Schema, f.Meta, f.rowGroups = schema, &r.meta, r.groups
	f.Meta.Writer = parseWriter(f.Meta.CreatedBy)
	f.findGeometries()
	if f.encryption != nil && f.encryption.modules.NoAAD && f.Meta.Writer.Application != "duckdb" {
		return f.corrupt(-1, "", f.dataEnd, fmt.Errorf("encrypted footer: %w", crypto.ErrAuthentic))
	}
	f.Meta.ColumnOrders = r.orders
	if len(r.orders) != len(schema.Leaves) {
		f.Meta.ColumnOrders = make([]ColumnOrder, len(schema.Leaves))
	}
	if err := f.link(r.paths); err != nil {
		return err
	}
	return f.linkEncryption()
}
