package enginetest

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/parquetsql/parquetsql"
)

// pagesOf makes pages of INT64 values, each with the given number of rows.
func pagesOf(pages, rows int, value func(row int) int64) []onePage {
	out := make([]onePage, pages)
	for i := range out {
		p := onePage{rows: rows, low: value(i * rows), top: value(i * rows)}
		for k := range rows {
			v := value(i*rows + k)
			p.low, p.top = min(p.low, v), max(p.top, v)
			p.data = binary.LittleEndian.AppendUint64(p.data, uint64(v))
		}
		out[i] = p
	}
	return out
}

// TestManyPages reads a chunk of more pages than 16 bits can count: the format has an
// i16 page_ordinal in encrypted pages.
func TestManyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a page for each of 40,000 rows, over and over")
	}
	const pages = 40_000
	for _, c := range []struct{ v2, index bool }{{true, true}, {false, false}, {false, true}} {
		id := paged{flat: longs("id"), v2: c.v2, index: c.index, pages: pagesOf(pages, 1, func(row int) int64 { return int64(row) })}
		v := paged{flat: longs("v"), v2: c.v2, index: c.index, pages: pagesOf(pages, 1, func(row int) int64 { return 3 * int64(row) })}
		db := openDir(t, filepath.Join(tree(t, map[string][]byte{"many.parquet": pagedFile(id, v)}), "many.parquet"))
		const sum = pages * (pages - 1) / 2
		for query, want := range map[string]string{
			"SELECT COUNT(*) || ' ' || SUM(id) || ' ' || SUM(v) || ' ' || MIN(v) || ' ' || MAX(v) FROM many":                          fmt.Sprint(pages, sum, int64(3*sum), 0, 3*(pages-1)),
			"SELECT COUNT(*) || ' ' || SUM(v) FROM many WHERE id >= 32766 AND id <= 32770":                                            fmt.Sprint(5, 3*5*32768),
			"SELECT v || ' ' || `_row` FROM many WHERE id = 39999":                                                                    fmt.Sprint(3*39999, 39999),
			"SELECT v || ' ' || id FROM many WHERE `_row` = 32768":                                                                    fmt.Sprint(3*32768, 32768),
			"SELECT id || ' ' || v FROM many ORDER BY v DESC LIMIT 1":                                                                 fmt.Sprint(39999, 3*39999),
			"SELECT COUNT(*) || ' ' || MAX(page) || ' ' || MAX(first_row) || ' ' || SUM(rows) FROM `many$pages` WHERE `column` = 'v'": fmt.Sprint(pages, pages-1, pages-1, pages),
		} {
			if got := one[string](t, db, query); got != want {
				t.Errorf("V2 %v, index %v: %s: got %s, want %s", c.v2, c.index, query, got, want)
			}
		}
	}
}

// TestHugeChunk reads a column chunk of more than 2 GiB and the one that follows it:
// neither offsets nor sums of sizes fit 32 bits.
func TestHugeChunk(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 2 GiB and more, several times")
	}
	const rows, pages = 1 << 17, 2060 // rows per page, and pages of 1 MiB each
	n, last := paged{flat: longs("n")}, paged{flat: longs("last"), v2: true}
	header, headerV2 := n.header(onePage{rows: rows}, 8*rows), last.header(onePage{rows: rows}, 8*rows)
	page, pageV2 := int64(len(header))+8*rows, int64(len(headerV2))+8*rows
	places := []chunkPlace{{at: 4, size: pages * page}, {at: 4 + pages*page, size: pages * pageV2}}
	footer := footerOf([]paged{n, last}, places, pages*rows)
	end := places[1].at + places[1].size
	ones := slices.Repeat(binary.LittleEndian.AppendUint64(nil, 1), rows)
	// The first value of each page is the page's number; all others are 1.
	fill := func(p []byte, off int64) {
		for len(p) > 0 {
			var src []byte
			switch {
			case off < 4:
				src = []byte("PAR1")[off:]
			case off >= end:
				src = footer[off-end:]
			case off < places[1].at:
				src = pageFrom(header, (off-4)/page, ones, (off-4)%page)
			default:
				at := off - places[1].at
				src = pageFrom(headerV2, at/pageV2, ones, at%pageV2)
			}
			k := copy(p, src)
			p, off = p[k:], off+int64(k)
		}
	}
	config := parquetsql.NewConfig()
	config.FS, config.Path = madeFile{"huge.parquet", end + int64(len(footer)), fill}, "huge.parquet"
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	defer watchHeap(t, 192<<20)()
	for query, want := range map[string]string{
		"SELECT COUNT(*) || ' ' || SUM(n) || ' ' || MAX(n) FROM huge":                    fmt.Sprint(pages*rows, pages*(rows-1)+pages*(pages-1)/2, pages-1),
		fmt.Sprintf("SELECT n || ' ' || last FROM huge WHERE `_row` = %d", 2050*rows):    "2050 2050",
		"SELECT COUNT(*) || ' ' || MAX(`offset`) FROM `huge$pages` WHERE `column` = 'n'": fmt.Sprint(pages, 4+(pages-1)*page),
		"SELECT COUNT(*) || ' ' || MAX(`offset`) FROM `huge$pages`":                      fmt.Sprint(2*pages, end-pageV2),
	} {
		if got := one[string](t, db, query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// pageFrom returns at least one byte of a page, starting with the byte at.
func pageFrom(header []byte, number int64, ones []byte, at int64) []byte {
	front := binary.LittleEndian.AppendUint64(slices.Clone(header), uint64(number))
	if at < int64(len(front)) {
		return front[at:]
	}
	return ones[at-int64(len(header)):]
}

// TestValuesOfNoType: on_corrupt=skip skips the whole page also if a value can be
// decoded but does not fit its type: a DECIMAL(18, 0) of 12 bytes.
func TestValuesOfNoType(t *testing.T) {
	decimal := flat{name: "v", physical: 6, converted: 5, precision: 18}
	id := paged{flat: longs("id"), pages: pagesOf(4, 4, func(row int) int64 { return int64(row) })}
	for bad := range 16 {
		v := paged{flat: decimal, pages: make([]onePage, 4)}
		for row := range 16 {
			value := []byte{byte(row)}
			if row == bad {
				value = []byte("twelve bytes")
			}
			p := &v.pages[row/4]
			p.rows++
			p.data = append(binary.LittleEndian.AppendUint32(p.data, uint32(len(value))), value...)
		}
		file := corpusFile{"decimals", pagedFile(id, v)}
		var reported []*parquetsql.CorruptError
		db, ctx, table := oneFile(t, file, skipping(&reported))
		got := rowsOf(ctx, t, db, len(file.data), "SELECT id, v FROM "+table)
		var want []int
		for row := range 16 {
			if row/4 != bad/4 {
				want = append(want, row)
			}
		}
		if got.err != nil || !slices.Equal(got.ids, want) || len(reported) != 1 || reported[0].Column != "v" || reported[0].Offset < 0 {
			t.Errorf("row %d: %v, %v, reported %v", bad, got.ids, got.err, reported)
		}
	}
}
