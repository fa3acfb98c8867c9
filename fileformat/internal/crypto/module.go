package crypto

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
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
	// MaybeCTR says that the file names AES_GCM_V1, but that its writer does so for both
	// algorithms.
	MaybeCTR bool

	mode atomic.Int32 // where MaybeCTR is set: the mode of the pages, as far as it is known
}

// The modes of pages.
const (
	modeUnknown int32 = iota
	modeGCM
	modeCTR
)

// ErrModes says that a file has pages in both modes, which no writer makes.
var ErrModes = errors.New("pages of the file decrypt in different modes of AES: bytes were changed")

// settle notes the mode of a page. It is an error if another page had the other mode.
func (f *File) settle(mode int32) error {
	if f.mode.CompareAndSwap(modeUnknown, mode) || f.mode.Load() == mode {
		return nil
	}
	return ErrModes
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
// the data page, or Dictionary. size is the plaintext's length, -1 where it is unknown.
// In CTR mode changes of the bytes are not noticed, but a page in GCM mode is, by its
// length: nothing authenticates the name of the algorithm in front of an encrypted footer.
//
// Where it is uncertain whether the mode is CTR, the length of the module says it if size
// is known: a module in GCM mode is 16 bytes longer, and the page header authenticates both
// sizes. Otherwise a page that does not decrypt in GCM mode is decrypted in CTR mode, unless
// another page of the file was in GCM mode. guessed then says that this is not certain yet:
// see Guessed. A changed page in GCM mode has other bytes then, the first 16 of which no
// one can choose (the modes begin with different counters), so that it does not decompress.
func (c *Chunk) Page(dst, module []byte, page, size int) (plain []byte, guessed bool, err error) {
	long := len(module) - LengthBytes - nonceBytes // the plaintext's length in CTR mode
	if c.file.CTR {
		if size >= 0 && size != long {
			return nil, false, ErrLength
		}
		plain, err = c.key.openCTR(dst, module)
		return plain, false, err
	}
	aad, err := c.pageAAD(dataPage, dictionaryPage, page)
	if err != nil {
		return nil, false, err
	}
	plain, err = c.key.open(dst, module, aad)
	switch {
	case !c.file.MaybeCTR:
		return plain, false, err
	case err == nil:
		return plain, false, c.file.settle(modeGCM)
	case c.file.mode.Load() == modeGCM, size >= 0 && size != long:
		return nil, false, err
	}
	if plain, err = c.key.openCTR(dst, module); err != nil {
		return nil, false, err
	}
	if size >= 0 {
		return plain, false, c.file.settle(modeCTR)
	}
	return plain, true, nil
}

// Guessed says that a page whose mode was guessed was valid when it was decompressed. It
// is an error if another page of the file was in GCM mode; from now on, a page in GCM mode
// is one.
func (c *Chunk) Guessed() error { return c.file.settle(modeCTR) }

func (c *Chunk) pageAAD(data, dictionary Module, page int) ([]byte, error) {
	switch {
	case page == Dictionary:
		return c.file.aad(dictionary, c.group, c.column), nil
	case page < 0 || page > math.MaxInt16:
		return nil, fmt.Errorf("page %d: an encrypted column chunk has at most %d pages", page, math.MaxInt16+1)
	}
	return c.file.aad(data, c.group, c.column, int16(page)), nil
}
