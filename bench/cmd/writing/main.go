// Command writing measures what the way a file is written does to queries: order, page
// index, bloom filters, row group sizes, codecs and encodings. It writes the same rows in
// several ways with arrow-go and prints times, and what each query read. The tables of
// docs/writing.md are its output.
//
//	go run ./cmd/writing
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

// variant is a way to write the rows.
type variant struct {
	name       string
	shuffled   bool
	properties []parquet.WriterProperty
}

// query is measured on each variant of a group.
type query struct{ name, text string }

type group struct {
	title    string
	variants []variant
	queries  []query
}

const (
	oneUser    = "SELECT COUNT(*), SUM(amount) FROM events WHERE user_id = 4242"
	noUser     = "SELECT COUNT(*), SUM(amount) FROM events WHERE user_id = 4243"
	oneHour    = "SELECT COUNT(*), SUM(amount) FROM events WHERE at >= TIMESTAMP '2024-01-10' AND at < TIMESTAMP '2024-01-10 01:00:00'"
	lastTen    = "SELECT * FROM events ORDER BY at DESC LIMIT 10"
	byCountry  = "SELECT country, COUNT(*), SUM(amount) FROM events GROUP BY country"
	everything = "SELECT COUNT(id), COUNT(at), SUM(user_id), MAX(country), SUM(amount), MAX(note) FROM events"
)

func groups() []group {
	index, none := parquet.WithPageIndexEnabled(true), parquet.WithPageIndexEnabled(false)
	small := parquet.WithDataPageSize(64 << 10)
	bloom := parquet.WithBloomFilterEnabledFor("user_id", true)
	length := func(n int64) parquet.WriterProperty { return parquet.WithMaxRowGroupLength(n) }
	with := func(p ...parquet.WriterProperty) []parquet.WriterProperty {
		return append([]parquet.WriterProperty{index, small, length(250_000)}, p...)
	}
	return []group{
		{"order, page index, bloom filter", []variant{
			{"in any order", true, []parquet.WriterProperty{none, length(250_000)}},
			{"sorted by at", false, []parquet.WriterProperty{none, length(250_000)}},
			{"and a page index", false, with()},
			{"and a bloom filter on user_id", false, with(bloom, parquet.WithBloomFilterNDVFor("user_id", 100_000))},
		}, []query{{"one hour", oneHour}, {"last ten", lastTen}, {"one user", oneUser}, {"a user who is not there", noUser}}},
		{"row groups", []variant{
			{"5,000 rows", false, []parquet.WriterProperty{index, small, length(5_000)}},
			{"50,000 rows", false, []parquet.WriterProperty{index, small, length(50_000)}},
			{"250,000 rows", false, with()},
			{"all in one", false, []parquet.WriterProperty{index, small, length(1 << 30)}},
		}, []query{{"one hour", oneHour}, {"by country", byCountry}, {"everything", everything}}},
		{"codecs", []variant{
			{"none", false, with(parquet.WithCompression(compress.Codecs.Uncompressed))},
			{"Snappy", false, with(parquet.WithCompression(compress.Codecs.Snappy))},
			{"LZ4_RAW", false, with(parquet.WithCompression(compress.Codecs.Lz4Raw))},
			{"Zstandard", false, with(parquet.WithCompression(compress.Codecs.Zstd))},
			{"gzip", false, with(parquet.WithCompression(compress.Codecs.Gzip))},
		}, []query{{"by country", byCountry}, {"everything", everything}}},
		{"encodings, with Zstandard", []variant{
			{"PLAIN", false, with(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false))},
			{"dictionaries", false, with(parquet.WithCompression(compress.Codecs.Zstd))},
			{"dictionary, DELTA and BYTE_STREAM_SPLIT", false, with(parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryDefault(false),
				parquet.WithDictionaryFor("country", true), parquet.WithEncodingFor("id", parquet.Encodings.DeltaBinaryPacked),
				parquet.WithEncodingFor("at", parquet.Encodings.DeltaBinaryPacked), parquet.WithEncodingFor("amount", parquet.Encodings.ByteStreamSplit))},
		}, []query{{"by country", byCountry}, {"everything", everything}}},
	}
}

func main() {
	rows := flag.Int64("rows", 2_000_000, "rows of each file")
	runs := flag.Int("runs", 5, "how often each query runs; the fastest counts")
	flag.Parse()
	folder, err := os.MkdirTemp("", "writing")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for _, g := range groups() {
		if err := g.measure(folder, *rows, *runs); err != nil {
			log.Fatal(err)
		}
	}
}

// measure prints the table of a group.
func (g group) measure(folder string, rows int64, runs int) error {
	fmt.Printf("\n%s\n\n| | file |", g.title)
	for _, q := range g.queries {
		fmt.Printf(" %s | read |", q.name)
	}
	fmt.Printf("\n| --- | ---: |%s\n", strings.Repeat(" ---: | ---: |", len(g.queries)))
	file := filepath.Join(folder, "events.parquet")
	for _, v := range g.variants {
		if err := write(file, v, rows); err != nil {
			return err
		}
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %s |", v.name, megabytes(info.Size()))
		for _, q := range g.queries {
			took, read, err := fastest(file, q.text, runs)
			if err != nil {
				return err
			}
			fmt.Printf(" %.1f ms | %s |", float64(took)/float64(time.Millisecond), megabytes(read))
		}
		fmt.Println()
	}
	return nil
}

// fastest returns the shortest time of a query, and the bytes of pages that it read.
func fastest(file, text string, runs int) (took time.Duration, read int64, err error) {
	db, err := sql.Open("parquet", file)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	for i := range runs {
		ctx, watcher := parquetsql.Watch(context.Background())
		begin := time.Now()
		if err := drain(ctx, db, text); err != nil {
			return 0, 0, err
		}
		if t := time.Since(begin); i == 0 || t < took {
			took = t
		}
		read = watcher.Stats().BytesRead
	}
	return took, read, nil
}

func drain(ctx context.Context, db *sql.DB, text string) error {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

func megabytes(n int64) string {
	if n < 100_000 {
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
