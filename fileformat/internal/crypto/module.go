package crypto

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Module is the type of a module, as it is in its AAD (section 4.4.2).
type Module uint8

// The types of modules.
const (
	footer Module = iota
	ColumnMetaData
	dataPage
	dictionaryPage
	dataPageHeader
	dictionaryPageHeader
	ColumnIndex
	OffsetIndex
	BloomFilterHeader
	BloomFilterBitset
)

// File is what the modules of a file have in common.
type File struct {
	// AAD begins the AAD of every module: the AAD prefix and the file's unique
	// identifier.
	AAD []byte
	// NoAAD says that all modules were encrypted without AAD.
	NoAAD bool
	// CTR says that pages are encrypted in CTR mode (AES_GCM_CTR_V1).
	CTR bool
}

// Footer decrypts the footer.
func (f *File) Footer(k *Key, module []byte) ([]byte, error) {
	return k.open(nil, module, f.aad(footer))
}

// Signed reports whether the signature of SignatureBytes is that of a plaintext footer.
func (f *File) Signed(k *Key, text, signature []byte) bool {
	return len(signature) == SignatureBytes && k.signed(text, signature, f.aad(footer))
}

func (f *File) aad(m Module, ordinals ...int16) []byte {
	if f.NoAAD {
		return nil
	}
	out := make([]byte, 0, len(f.AAD)+1+2*len(ordinals))
	out = append(append(out, f.AAD...), byte(m))
	for _, n := range ordinals {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// Chunk decrypts the modules of one column chunk. It may be used by several goroutines.
type Chunk struct {
	file          *File
	key           *Key
	group, column int16
}

// Dictionary stands for the ordinal of a dictionary page, which has none.
const Dictionary = -1

// Chunk returns the Chunk of a row group and a column, both by their ordinals in the
// file. Its error is that of an ordinal that has no place in an AAD.
func (f *File) Chunk(k *Key, group, column int) (*Chunk, error) {
	if group > math.MaxInt16 || column > math.MaxInt16 {
		return nil, fmt.Errorf("row group %d and column %d: an encrypted file has at most %d of each", group, column, math.MaxInt16+1)
	}
	return &Chunk{file: f, key: k, group: int16(group), column: int16(column)}, nil
}

// NoAAD reports whether the file's modules were encrypted without AAD.
func (c *Chunk) NoAAD() bool { return c.file.NoAAD }

// Structure decrypts a module of the chunk that is no page and no page header.
func (c *Chunk) Structure(m Module, module []byte) ([]byte, error) {
	return c.key.open(nil, module, c.file.aad(m, c.group, c.column))
}

// PageHeader decrypts a page header and appends it to dst. page is the ordinal of the
// data page, or Dictionary.
func (c *Chunk) PageHeader(dst, module []byte, page int) ([]byte, error) {
	aad, err := c.pageAAD(dataPageHeader, dictionaryPageHeader, page)
	if err != nil {
		return nil, err
	}
	return c.key.open(dst, module, aad)
}

// Page decrypts a page without its header and appends it to dst. page is the ordinal of
// the data page, or Dictionary. In CTR mode changes of the bytes are not noticed.
func (c *Chunk) Page(dst, module []byte, page int) ([]byte, error) {
	if c.file.CTR {
		return c.key.openCTR(dst, module)
	}
	aad, err := c.pageAAD(dataPage, dictionaryPage, page)
	if err != nil {
		return nil, err
	}
	return c.key.open(dst, module, aad)
}

func (c *Chunk) pageAAD(data, dictionary Module, page int) ([]byte, error) {
	switch {
	case page == Dictionary:
		return c.file.aad(dictionary, c.group, c.column), nil
	case page < 0 || page > math.MaxInt16:
		return nil, fmt.Errorf("page %d: an encrypted column chunk has at most %d pages", page, math.MaxInt16+1)
	}
	return c.file.aad(data, c.group, c.column, int16(page)), nil
}
