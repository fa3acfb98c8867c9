package page

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/fileformat/internal/crypto"
)

const testKey = "0123456789abcdef"

// sealed writes modules of the column chunk 3 of row group 2, of a file without AAD prefix
// whose identifier is "id", as Encryption.md, sections 4.4.2 and 5.1, says.
type sealed struct {
	t      *testing.T
	ctr    bool
	maybe  bool // the file names AES_GCM_V1 for both algorithms
	levels bool // pages of version 2 as parquet-java has them: levels in the clear
	nonce  byte
}

func (s *sealed) module(kind byte, page int, ctr bool, plain []byte) []byte {
	block, err := aes.NewCipher([]byte(testKey))
	if err != nil {
		s.t.Fatal(err)
	}
	s.nonce++
	out := bytes.Repeat([]byte{s.nonce}, 12)
	if ctr {
		text := make([]byte, len(plain))
		cipher.NewCTR(block, append(bytes.Clone(out), 0, 0, 0, 1)).XORKeyStream(text, plain)
		out = append(out, text...)
	} else {
		gcm, err := cipher.NewGCM(block)
		if err != nil {
			s.t.Fatal(err)
		}
		aad := []byte{'i', 'd', kind, 2, 0, 3, 0}
		if page >= 0 {
			aad = binary.LittleEndian.AppendUint16(aad, uint16(page))
		}
		out = gcm.Seal(out, out, plain, aad)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(out))), out...)
}

// page encrypts a page. ordinal is -1 for a dictionary page.
func (s *sealed) page(p chunktest.Page, ordinal int) []byte {
	body, header := byte(2), byte(4)
	if ordinal < 0 {
		body, header = 3, 5
	}
	clear := 0
	if s.levels {
		clear = int(p.DefLength + p.RepLength)
	}
	text := append(bytes.Clone(p.Body[:clear]), s.module(body, ordinal, s.ctr, p.Body[clear:])...)
	p.UncompressedSize, p.CompressedSize = int32(len(p.Body)), int32(len(text))
	return append(s.module(header, ordinal, false, chunktest.EncodeHeader(p.PageHeader)), text...)
}

// reader reads pages that are in a file.
func (s *sealed) reader(pages [][]byte, rows int) *Reader {
	file := append([]byte("PAR1"), bytes.Join(pages, nil)...)
	c := &chunktest.Chunk{Leaf: chunktest.OptionalInt, Rows: int64(rows)}
	r, err := NewReader(c.Metadata(int64(len(file)), 1<<20), Options{Source: bytes.NewReader(file)})
	if err != nil {
		s.t.Fatal(err)
	}
	key, err := crypto.NewKey([]byte(testKey))
	if err != nil {
		s.t.Fatal(err)
	}
	f := &crypto.File{AAD: []byte("id"), CTR: s.ctr && !s.maybe, MaybeCTR: s.maybe}
	if r.cipher, err = f.Chunk(key, 2, 3); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// bodies reads all pages.
func bodies(r *Reader, n int) (out []string, err error) {
	defer r.Close()
	for range n {
		p, err := r.Find()
		if err != nil {
			return out, err
		}
		body, err := r.Body(&p)
		if err != nil {
			return out, err
		}
		r.Keep(Forever)
		out = append(out, string(body))
		r.Pass(&p)
	}
	return out, nil
}

func v2(values int, levels, data string) chunktest.Page {
	return chunktest.Of(fileformat.PageHeader{
		Type: fileformat.DataPageV2, NumValues: int32(values), NumRows: int32(values),
		DefLength: int32(len(levels)), Encoding: fileformat.Plain,
	}, []byte(levels+data))
}

// testPages are a dictionary page and three data pages of two values.
func testPages() []chunktest.Page {
	return []chunktest.Page{
		chunktest.Dictionary(1, []byte("the dictionary")),
		chunktest.V1(2, fileformat.Plain, []byte("the first page")),
		v2(2, "levels", "of the second page"),
		v2(2, "more levels", ""),
	}
}

// TestSealedPages reads pages of both versions in both modes, with V2 pages as Arrow and
// as parquet-java encrypt them. What is kept stays as it is.
func TestSealedPages(t *testing.T) {
	for _, ctr := range []bool{false, true} {
		for _, levels := range []bool{false, true} {
			t.Run(fmt.Sprint(ctr, levels), func(t *testing.T) {
				s := &sealed{t: t, ctr: ctr, levels: levels}
				var pages [][]byte
				var want []string
				for i, p := range testPages() {
					pages, want = append(pages, s.page(p, i-1)), append(want, string(p.Body))
				}
				got, err := bodies(s.reader(pages, 6), len(pages))
				if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
					t.Errorf("%q, %v", got, err)
				}
			})
		}
	}
}

// TestSealedOrder: pages in another order, twice, left out or of another kind are noticed
// in both modes, by their headers.
func TestSealedOrder(t *testing.T) {
	for _, ctr := range []bool{false, true} {
		s := &sealed{t: t, ctr: ctr}
		var pages [][]byte
		for i, p := range testPages() {
			pages = append(pages, s.page(p, i-1))
		}
		p := testPages()
		for name, order := range map[string][][]byte{
			"exchanged":             {pages[0], pages[2], pages[1], pages[3]},
			"left out":              {pages[0], pages[1], pages[3]},
			"twice":                 {pages[0], pages[1], pages[1], pages[2]},
			"dictionary behind":     {pages[1], pages[0], pages[2], pages[3]},
			"data as dictionary":    {s.page(p[1], -1), pages[1], pages[2], pages[3]},
			"dictionary as data":    {s.page(p[0], 0), pages[1], pages[2], pages[3]},
			"cut":                   {pages[0], pages[1], pages[2], pages[3][:len(pages[3])-1]},
			"an unencrypted header": {chunktest.EncodeHeader(p[0].PageHeader), pages[0], pages[1], pages[2], pages[3]},
		} {
			if got, err := bodies(s.reader(order, 6), 4); err == nil {
				t.Errorf("%s: %q", name, got)
			} else if strings.Contains(err.Error(), "the first page") {
				t.Errorf("%s: the error has plaintext: %v", name, err)
			}
		}
	}
}

// TestSealedOrdinals: a chunk has at most 32,768 encrypted pages.
func TestSealedOrdinals(t *testing.T) {
	const most = 1 << 15
	s := &sealed{t: t}
	empty := s.page(chunktest.V1(0, fileformat.Plain, nil), 0)
	var pages [][]byte
	for range most - 1 {
		pages = append(pages, empty)
	}
	one := chunktest.V1(1, fileformat.Plain, []byte("x"))
	pages = append(pages, s.page(one, most-1), s.page(one, most))
	r := s.reader(pages, 2)
	r.ordinal, r.next = most-1, r.start+int64((most-1)*len(empty))
	got, err := bodies(r, 2)
	if len(got) != 1 || got[0] != "x" || err == nil || !strings.Contains(err.Error(), "32768") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestSealedLength: a length in front of a module never makes the reader allocate.
func TestSealedLength(t *testing.T) {
	s := &sealed{t: t}
	for _, length := range []uint32{0, 1, 27, 28, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
		page := s.page(testPages()[1], 0)
		binary.LittleEndian.PutUint32(page, length)
		if got, err := bodies(s.reader([][]byte{page}, 2), 1); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("length %d: %q, %v", length, got, err)
		}
	}
}

// TestSealedUncertain: where a file may be in CTR mode, pages in both modes are read, but
// not in one file. No change of an uncompressed page in GCM mode makes it one in CTR mode:
// its size is authenticated.
func TestSealedUncertain(t *testing.T) {
	for _, ctr := range []bool{false, true} {
		s := &sealed{t: t, ctr: ctr, maybe: true}
		var pages [][]byte
		for i, p := range testPages() {
			pages = append(pages, s.page(p, i-1))
		}
		if got, err := bodies(s.reader(pages, 6), 4); err != nil || got[3] != "more levels" {
			t.Errorf("CTR %v: %q, %v", ctr, got, err)
		}
		if ctr {
			continue
		}
		page := pages[0]
		for i := range page {
			for bit := range 8 {
				page[i] ^= 1 << bit
				if got, err := bodies(s.reader(pages, 6), 1); err == nil {
					t.Errorf("byte %d of %d: %q", i, len(page), got)
				}
				page[i] ^= 1 << bit
			}
		}
		for _, first := range []bool{false, true} {
			s.ctr = first
			mixed := [][]byte{s.page(testPages()[0], -1)}
			s.ctr = !first
			mixed = append(mixed, s.page(testPages()[1], 0))
			if got, err := bodies(s.reader(mixed, 6), 2); len(got) != 1 || err == nil {
				t.Errorf("both modes: %q, %v", got, err)
			}
		}
	}
}

// TestSealedAlgorithm: nothing protects the name of the algorithm in front of an encrypted
// footer. Uncompressed pages in GCM mode are not taken for pages in CTR mode, nor the other
// way round.
func TestSealedAlgorithm(t *testing.T) {
	for _, ctr := range []bool{false, true} {
		for i, p := range testPages()[:3] {
			s := &sealed{t: t, ctr: ctr}
			page := s.page(p, i-1)
			s.ctr = !ctr
			r := s.reader([][]byte{page}, 6)
			r.ordinal = max(0, i-1)
			if got, err := bodies(r, 1); err == nil {
				t.Errorf("CTR %v: page %d: %q", ctr, i, got)
			}
		}
	}
}
