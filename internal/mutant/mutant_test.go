package mutant

import (
	"bytes"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

const corpus = "../../testdata"

// TestRewritten: a file that was split and put together again, with the pages of a
// chunk moved behind the others, has the same rows: so the damage of a mutant is behind
// right sizes, offsets and checksums.
func TestRewritten(t *testing.T) {
	files, err := Corpus(corpus, 64<<10)
	if err != nil || len(files) < 100 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	moved := 0
	for _, f := range files {
		l, err := split(f.Data)
		if err != nil {
			continue
		}
		want, err := rows(t, f.Data)
		if err != nil {
			continue // of a file that needs a key, or that is damaged
		}
		if chunk := l.chunk(r); chunk != nil {
			if pages, err := l.pages(chunk); err == nil {
				moved++
				l.move(chunk, pages)
			}
		}
		got, err := rows(t, l.put())
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		} else if got != want {
			t.Errorf("%s: %s, want %s", f.Name, got, want)
		}
	}
	if moved < 100 {
		t.Errorf("only %d chunks could be moved", moved)
	}
}

// TestFile: all kinds occur, and a seed gives the same file again.
func TestFile(t *testing.T) {
	files, err := Corpus(corpus, 64<<10)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[Kind]int{}
	for seed := range uint64(400) {
		f := files[seed%uint64(len(files))]
		a, kind := File(rand.New(rand.NewPCG(seed, 0)), f.Data)
		b, _ := File(rand.New(rand.NewPCG(seed, 0)), f.Data)
		if !bytes.Equal(a, b) {
			t.Errorf("seed %d gives two files", seed)
		}
		kinds[kind]++
	}
	if kinds[Bytes] > 250 || kinds[Footer] < 20 || kinds[Pages] < 50 || kinds[Index] < 10 {
		t.Errorf("%v", kinds)
	}
}

// rows are the first rows of a file, as text.
func rows(t *testing.T, data []byte) (string, error) { return rowsOf(t, data, &Keys{}) }

func rowsOf(t *testing.T, data []byte, keys *Keys) (string, error) {
	c, err := parquetsql.NewConnector(&parquetsql.Config{
		FS: fstest.MapFS{"m.parquet": {Data: data}}, Path: "m.parquet", VerifyChecksums: true,
		FooterKey: keys.Footer, ColumnKeys: keys.Columns, AADPrefix: keys.AADPrefix,
	})
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(c)
	defer db.Close()
	rows, err := db.Query("SELECT * FROM m LIMIT 1000")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	row, to := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		to[i] = &row[i]
	}
	var out strings.Builder
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return "", err
		}
		fmt.Fprintln(&out, row...)
	}
	return out.String(), rows.Err()
}

// TestCodecs: what a codec has compressed, it decompresses, also what cannot be compressed.
func TestCodecs(t *testing.T) {
	noise := make([]byte, 1000)
	r := rand.NewChaCha8([32]byte{1})
	_, _ = r.Read(noise)
	for number, c := range codecs {
		for _, plain := range [][]byte{{7}, noise[:14], noise[:15], noise[:269], noise[:270], noise, make([]byte, 100_000)} {
			if got, err := c.decode(c.encode(plain), len(plain)); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("codec %d: %d bytes become %d others, %v", number, len(plain), len(got), err)
			}
		}
	}
}

func TestCorpus(t *testing.T) {
	files, err := Corpus(filepath.Join(corpus, "files"), 1<<10)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if len(f.Data) > 1<<10 {
			t.Errorf("%s has %d bytes", f.Name, len(f.Data))
		}
	}
}
