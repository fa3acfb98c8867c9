package crypto

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"testing"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Test case 4 of D. McGrew and J. Viega, "The Galois/Counter Mode of Operation (GCM)".
const (
	gcmKey    = "feffe9928665731c6d6a8f9467308308"
	gcmNonce  = "cafebabefacedbaddecaf888"
	gcmPlain  = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
	gcmAAD    = "feedfacedeadbeeffeedfacedeadbeefabaddad2"
	gcmCipher = "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
	gcmTag    = "5bc94fbc3221a5db94fae95ae7121a47"
)

func moduleOf(parts ...[]byte) []byte {
	b := bytes.Join(parts, nil)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

func TestGCM(t *testing.T) {
	key, err := NewKey(unhex(t, gcmKey))
	if err != nil {
		t.Fatal(err)
	}
	module := moduleOf(unhex(t, gcmNonce), unhex(t, gcmCipher), unhex(t, gcmTag))
	got, err := key.open([]byte("in front"), module, unhex(t, gcmAAD))
	if err != nil || string(got) != "in front"+string(unhex(t, gcmPlain)) {
		t.Errorf("%x, %v", got, err)
	}
	if _, err := key.open(nil, module, unhex(t, gcmAAD)[1:]); !errors.Is(err, ErrAuthentic) {
		t.Errorf("other AAD: %v", err)
	}
	for n := range module {
		if _, err := key.open(nil, module[:n], unhex(t, gcmAAD)); !errors.Is(err, ErrLength) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if !key.signed(unhex(t, gcmPlain), append(unhex(t, gcmNonce), unhex(t, gcmTag)...), unhex(t, gcmAAD)) {
		t.Error("the tag is not taken for the signature")
	}
}

// TestCTR: the counter of GCM begins with 2 for the first block of the text, so that a
// text behind one block has the same ciphertext in CTR mode, whose counter begins with 1.
func TestCTR(t *testing.T) {
	key, err := NewKey(unhex(t, gcmKey))
	if err != nil {
		t.Fatal(err)
	}
	module := moduleOf(unhex(t, gcmNonce), make([]byte, 16), unhex(t, gcmCipher))
	got, err := key.openCTR(nil, module)
	if err != nil || len(got) < 16 || !bytes.Equal(got[16:], unhex(t, gcmPlain)) {
		t.Errorf("%x, %v", got, err)
	}
	for n := range module {
		if _, err := key.openCTR(nil, module[:n]); !errors.Is(err, ErrLength) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestKeySizes(t *testing.T) {
	for n := range 40 {
		_, err := NewKey(make([]byte, n))
		if valid := n == 16 || n == 24 || n == 32; valid != (err == nil) || !valid && !errors.Is(err, ErrKeySize) {
			t.Errorf("a key of %d bytes: %v", n, err)
		}
	}
}

// TestAAD compares with the table of Encryption.md, section 4.4.2.
func TestAAD(t *testing.T) {
	f := &File{AAD: []byte("prefix+id")}
	c, err := f.Chunk(nil, 0x0102, 0x0304)
	if err != nil {
		t.Fatal(err)
	}
	page := func(data, dictionary Module, ordinal int) []byte {
		aad, err := c.pageAAD(data, dictionary, ordinal)
		if err != nil {
			t.Fatal(err)
		}
		return aad
	}
	for name, a := range map[string]struct {
		got    []byte
		suffix string
	}{
		"footer":                 {f.aad(footer), "\x00"},
		"column metadata":        {f.aad(ColumnMetaData, c.group, c.column), "\x01\x02\x01\x04\x03"},
		"data page":              {page(dataPage, dictionaryPage, 0x0506), "\x02\x02\x01\x04\x03\x06\x05"},
		"dictionary page":        {page(dataPage, dictionaryPage, Dictionary), "\x03\x02\x01\x04\x03"},
		"data page header":       {page(dataPageHeader, dictionaryPageHeader, 0x0506), "\x04\x02\x01\x04\x03\x06\x05"},
		"dictionary page header": {page(dataPageHeader, dictionaryPageHeader, Dictionary), "\x05\x02\x01\x04\x03"},
		"column index":           {f.aad(ColumnIndex, c.group, c.column), "\x06\x02\x01\x04\x03"},
		"offset index":           {f.aad(OffsetIndex, c.group, c.column), "\x07\x02\x01\x04\x03"},
		"bloom filter header":    {f.aad(BloomFilterHeader, c.group, c.column), "\x08\x02\x01\x04\x03"},
		"bloom filter bitset":    {f.aad(BloomFilterBitset, c.group, c.column), "\x09\x02\x01\x04\x03"},
	} {
		if want := "prefix+id" + a.suffix; string(a.got) != want {
			t.Errorf("%s: %q, want %q", name, a.got, want)
		}
	}
	f.NoAAD = true
	if got := f.aad(footer); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

func TestOrdinals(t *testing.T) {
	f := &File{}
	for _, n := range []int{0, math.MaxInt16, math.MaxInt16 + 1, math.MaxUint16} {
		_, err1 := f.Chunk(nil, n, 0)
		_, err2 := f.Chunk(nil, 0, n)
		c, err := f.Chunk(nil, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err3 := c.pageAAD(dataPage, dictionaryPage, n)
		for _, err := range []error{err1, err2, err3} {
			if (err == nil) != (n <= math.MaxInt16) {
				t.Errorf("ordinal %d: %v", n, err)
			}
		}
	}
}

// TestGuessed: a page whose mode was guessed is in CTR mode once it was valid. Before and
// after that, no page in GCM mode goes with it.
func TestGuessed(t *testing.T) {
	key, err := NewKey(unhex(t, gcmKey))
	if err != nil {
		t.Fatal(err)
	}
	gcm := moduleOf(unhex(t, gcmNonce), unhex(t, gcmCipher), unhex(t, gcmTag))
	ctr := moduleOf(unhex(t, gcmNonce), unhex(t, gcmCipher))
	aad := unhex(t, gcmAAD)
	begin := func() *Chunk {
		f := &File{AAD: aad, MaybeCTR: true}
		c, err := f.Chunk(key, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := begin()
	nonce := unhex(t, gcmNonce)
	sealed := moduleOf(key.gcm.Seal(nonce, nonce, unhex(t, gcmPlain), c.file.aad(dictionaryPage, 0, 0)))
	read := func(c *Chunk, module []byte, size int) (bool, error) {
		_, guessed, err := c.Page(nil, module, Dictionary, size)
		return guessed, err
	}
	plain := len(unhex(t, gcmPlain))
	if guessed, err := read(c, gcm, plain); guessed || !errors.Is(err, ErrAuthentic) {
		t.Errorf("a changed page of known size: %v, %v", guessed, err)
	}
	if guessed, err := read(c, gcm, -1); !guessed || err != nil {
		t.Errorf("a page of unknown size: %v, %v", guessed, err)
	}
	if guessed, err := read(c, sealed, -1); guessed || err != nil {
		t.Errorf("a page in GCM mode after a guess that was not valid: %v, %v", guessed, err)
	}
	if _, err := read(c, gcm, -1); !errors.Is(err, ErrAuthentic) {
		t.Errorf("a changed page after one in GCM mode: %v", err)
	}
	if err := c.Guessed(); !errors.Is(err, ErrModes) {
		t.Errorf("a guess of another goroutine after a page in GCM mode: %v", err)
	}
	c = begin()
	if guessed, err := read(c, ctr, plain); guessed || err != nil {
		t.Errorf("a page in CTR mode of known size: %v, %v", guessed, err)
	}
	if _, err := read(c, sealed, -1); !errors.Is(err, ErrModes) {
		t.Errorf("a page in GCM mode after one in CTR mode: %v", err)
	}
}
