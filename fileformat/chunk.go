package fileformat

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// maxDictHeader bounds what parquet-mr before 1.2.9 left out of
// total_compressed_size: the dictionary page's header (IMPALA-694).
const maxDictHeader = 100

// Range returns where the chunk's pages lie, the dictionary page included. It checks
// the chunk's metadata against its column and the file: the physical type, the
// counts, and that all bytes lie before the footer.
//
// Pages begin at the lowest known offset of the dictionary page, the index page and
// the data page. A dictionary offset of 0 means that there is no dictionary page, or
// that it is at the offset that is stated for the first data page: files have
// both. A chunk without values has no bytes.
//
// The range may be longer than the chunk, which ends with its last value:
// total_compressed_size may count pages that no offset points to, and the range also
// has room for bytes that old writers forgot to count.
func (c *ColumnChunk) Range() (offset, length int64, err error) {
	if err := c.check(); err != nil {
		return 0, 0, err
	}
	m, f := &c.Meta, c.file
	if m.NumValues == 0 {
		return int64(len(magic)), 0, nil // writers leave the offsets of empty chunks 0
	}
	offset, length = m.firstPage(), m.TotalCompressedSize
	err = f.CheckRange(offset, length)
	if err != nil && f.CheckRange(offset, 1) == nil && f.CheckRange(int64(len(magic)), length) == nil {
		// Pages of a kind that has no offset in the metadata, in front of offset.
		length, err = f.dataEnd-offset, nil
	}
	if err != nil {
		return 0, 0, c.Corrupt(offset, fmt.Errorf("column chunk: %w", err))
	}
	// The metadata of such files may not even mention a dictionary.
	if w := f.Meta.Writer; w.Application == "parquet-mr" && (!w.HasVersion || w.Before(1, 2, 9)) {
		length += min(maxDictHeader, f.dataEnd-offset-length)
	}
	return offset, length, nil
}

// firstPage returns the lowest page offset in the metadata. The offset of an index
// page counts only if the data page is in the same chunk: no reader uses index
// pages, so a writer would not have noticed a wrong offset.
func (m *ColumnMetaData) firstPage() int64 {
	first := m.DataPageOffset
	if m.DictionaryPageOffset > 0 {
		first = min(first, m.DictionaryPageOffset)
	}
	if x := m.IndexPageOffset; x >= int64(len(magic)) && x < first && m.DataPageOffset-x < m.TotalCompressedSize {
		first = x
	}
	return first
}

// check does all checks of Range except those of the offsets.
func (c *ColumnChunk) check() error {
	if c.Locked() {
		return c.lockedError()
	}
	m, rows := &c.Meta, c.RowGroup.NumRows
	var err error
	switch {
	case c.FilePath != "":
		err = fmt.Errorf("its pages lie in the file %q", c.FilePath)
	case c.Leaf.Err != nil:
		err = c.Leaf.Err
	case m.Type != c.Leaf.Physical:
		err = fmt.Errorf("a chunk of type %v in a column of type %v", m.Type, c.Leaf.Physical)
	case m.NumValues < rows || c.Leaf.MaxRep == 0 && m.NumValues != rows:
		err = fmt.Errorf("%d values for %d rows", m.NumValues, rows)
	case m.TotalUncompressedSize < 0:
		err = fmt.Errorf("an uncompressed size of %d", m.TotalUncompressedSize)
	default:
		return nil
	}
	return c.Corrupt(-1, fmt.Errorf("column chunk: %w", err))
}

// CheckRange checks that a range of bytes is between the magic and the footer.
func (f *File) CheckRange(offset, length int64) error {
	if offset < int64(len(magic)) || length < 0 || offset > f.dataEnd || length > f.dataEnd-offset {
		return fmt.Errorf("%d bytes at %d do not lie within the file's data, which ends at %d", length, offset, f.dataEnd)
	}
	return nil
}

// structure is an index structure that belongs to a chunk.
type structure struct {
	name   string
	module crypto.Module
}

var (
	offsetIndex = structure{"offset index", crypto.OffsetIndex}
	columnIndex = structure{"column index", crypto.ColumnIndex}
)

// readStructure reads and decrypts a structure.
func (c *ColumnChunk) readStructure(r io.ReaderAt, s structure, offset, length int64) ([]byte, error) {
	buf, err := c.readBytes(r, s.name, offset, length)
	if err != nil || !c.Encrypted() {
		return buf, err
	}
	plain, err := c.crypto.cipher.Structure(s.module, buf)
	if err != nil {
		return nil, c.Corrupt(offset, fmt.Errorf("%s: %w", s.name, err))
	}
	return plain, nil
}

// structureShare is the part of Options.Memory that a structure may be long: an entry of one byte
// becomes 24 in memory.
const structureShare = 32

// fits is an error if a structure of so many bytes takes more than Options.Memory allows.
func (c *ColumnChunk) fits(what string, length int64) error {
	if most := c.file.options.Memory / structureShare; most > 0 && length > most {
		return fmt.Errorf("file %q, column %q: %w: its %s of %d bytes takes more than the limit leaves; raise memory_limit",
			c.file.options.Name, c.Leaf.Dotted(), errs.ErrMemoryLimit, what, length)
	}
	return nil
}

// readBytes reads the bytes of a structure.
func (c *ColumnChunk) readBytes(r io.ReaderAt, what string, offset, length int64) ([]byte, error) {
	err := c.file.CheckRange(offset, length)
	if err == nil && length > math.MaxInt32 {
		err = errors.New("it is too long")
	}
	if err != nil {
		return nil, c.Corrupt(offset, fmt.Errorf("%s: %w", what, err))
	}
	if err := c.fits(what, length); err != nil {
		return nil, err
	}
	buf, err := readGrowing(io.NewSectionReader(r, offset, length), int(length))
	if err != nil {
		return nil, fmt.Errorf("reading file %q at %d: %w", c.file.options.Name, offset, err)
	}
	if len(buf) < int(length) {
		return nil, c.Corrupt(offset+int64(len(buf)), fmt.Errorf("%s: %w", what, ErrTruncated))
	}
	return buf, nil
}

// Statistics are the chunk's, or nil. Those of a locked chunk are not shown.
func (c *ColumnChunk) Statistics() *Statistics {
	if c.Locked() {
		return nil
	}
	return c.Meta.statistics
}

// File is the file that the chunk belongs to.
func (c *ColumnChunk) File() *File { return c.file }

// Corrupt is a CorruptError of this chunk. offset is -1 where it is unknown.
func (c *ColumnChunk) Corrupt(offset int64, err error) error {
	return c.file.corrupt(c.RowGroup.Index, c.Leaf.Dotted(), offset, err)
}
