package iceberg

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/table"
)

var (
	figures = flag.Bool("figures", false, "measure; else nothing is done")
	keep    = flag.String("keep", "", "where the table is written that is measured; bench/remote takes it as -lake")
)

const (
	manifests    = 1000
	filesPerEach = 100
)

// large writes the metadata of a table of 100,000 data files in 1,000 manifests, one for each partition,
// with bounds of one column. The data files are not there.
func large(t *testing.T, dir string) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(os.MkdirAll(filepath.Join(dir, "metadata"), 0o755))
	schema := iceberg.NewSchema(0, iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64}, iceberg.NestedField{ID: 2, Name: "p", Type: iceberg.PrimitiveTypes.Int32})
	spec := iceberg.NewPartitionSpecID(0, iceberg.PartitionField{SourceIDs: []int{2}, FieldID: 1000, Name: "p", Transform: iceberg.IdentityTransform{}})
	snapshot, sequence := int64(1), int64(1)
	var list []iceberg.ManifestFile
	for m := range manifests {
		var entries []iceberg.ManifestEntry
		for i := range filesPerEach {
			id := int64(m*filesPerEach + i)
			path := filepath.ToSlash(filepath.Join(dir, "data", fmt.Sprintf("p=%d", m), fmt.Sprintf("%08d-9c12d441-03fe-4693-9a96-a0705ddf69c1.parquet", id)))
			b, err := iceberg.NewDataFileBuilder(spec, iceberg.EntryContentData, path, iceberg.ParquetFile, map[int]any{1000: int32(m)}, nil, nil, 1000, 1<<20)
			check(err)
			bound := func(n int64) map[int][]byte {
				return map[int][]byte{1: binary.LittleEndian.AppendUint64(nil, uint64(n))}
			}
			b.ValueCounts(map[int]int64{1: 1000}).NullValueCounts(map[int]int64{1: 0}).LowerBoundValues(bound(id * 1000)).UpperBoundValues(bound(id*1000 + 999))
			entries = append(entries, iceberg.NewManifestEntry(iceberg.EntryStatusADDED, &snapshot, nil, nil, b.Build()))
		}
		var out bytes.Buffer
		file := filepath.Join(dir, "metadata", fmt.Sprintf("m%d.avro", m))
		own, err := iceberg.WriteManifest(filepath.ToSlash(file), &out, 2, spec, schema, snapshot, entries)
		check(err)
		check(os.WriteFile(file, out.Bytes(), 0o600))
		list = append(list, own)
	}
	var out bytes.Buffer
	check(iceberg.WriteManifestList(2, &out, snapshot, nil, &sequence, 0, list))
	file := filepath.Join(dir, "metadata", "l.avro")
	check(os.WriteFile(file, out.Bytes(), 0o600))
	text, err := json.Marshal(map[string]any{
		"format-version": 2, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": filepath.ToSlash(dir), "last-sequence-number": 1, "last-updated-ms": 1, "last-column-id": 2,
		"schemas": []any{json.RawMessage(`{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":false,"type":"long"},{"id":2,"name":"p","required":false,"type":"int"}]}`)}, "current-schema-id": 0,
		"partition-specs": []any{json.RawMessage(`{"spec-id":0,"fields":[{"source-id":2,"field-id":1000,"name":"p","transform":"identity"}]}`)}, "default-spec-id": 0, "last-partition-id": 1000,
		"sort-orders": []any{json.RawMessage(`{"order-id":0,"fields":[]}`)}, "default-sort-order-id": 0, "current-snapshot-id": 1,
		"snapshots": []any{map[string]any{"snapshot-id": 1, "sequence-number": 1, "timestamp-ms": 1, "summary": map[string]string{"operation": "append"}, "manifest-list": filepath.ToSlash(file), "schema-id": 0}},
	})
	check(err)
	check(os.WriteFile(filepath.Join(dir, "metadata", "v1.metadata.json"), text, 0o600))
}

// processor is the processor time of the process.
func processor() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// measure prints what a step takes: processor time, memory, and files that are read.
func measure(t *testing.T, what string, files *opened, step func() (int, error)) {
	t.Helper()
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if files != nil {
		files.names = nil
	}
	start := processor()
	n, err := step()
	took := processor() - start
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(what, err)
	}
	reads := "?"
	if files != nil {
		count := 0
		for _, name := range files.names {
			if strings.HasSuffix(name, ".avro") || strings.HasSuffix(name, ".json") {
				count++
			}
		}
		reads = fmt.Sprint(count)
	}
	fmt.Printf("| %s | %d | %s | %.0f | %.0f |\n", what, n, reads, float64(took.Microseconds())/1000, float64(after.TotalAlloc-before.TotalAlloc)/1e6)
}

// TestFigures measures how long it takes until it is known which files a scan needs.
func TestFigures(t *testing.T) {
	if !*figures {
		t.Skip("a measurement: -figures makes it")
	}
	dir := filepath.Join(t.TempDir(), "t")
	if *keep != "" {
		dir = filepath.Join(*keep, "t")
	}
	large(t, dir)
	fmt.Println("| planning | files | files read | ms | MB |\n| --- | ---: | ---: | ---: | ---: |")
	cases := []struct {
		what, where string
		filter      iceberg.BooleanExpression
	}{
		{"all files", "TRUE", iceberg.AlwaysTrue{}},
		{"one partition", "p = 500", iceberg.EqualTo(iceberg.Reference("p"), int32(500))},
		{"none, by bounds", "id > 1000000000", iceberg.GreaterThan(iceberg.Reference("id"), int64(1_000_000_000))},
	}
	for _, c := range cases {
		own := open(t, dir)
		for _, state := range []string{"cold", "warm", "once more"} {
			measure(t, c.what+", "+state, own.files, func() (n int, err error) {
				// COUNT(*) would be answered by the manifest list.
				err = own.QueryRow("SELECT COUNT(id) // 1000 FROM t WHERE " + c.where).Scan(&n)
				return n, err
			})
		}
		counts := open(t, dir)
		measure(t, c.what+", COUNT(*), cold", counts.files, func() (n int, err error) {
			err = counts.QueryRow("SELECT COUNT(*) // 1000 FROM t WHERE " + c.where).Scan(&n)
			return n, err
		})
		var tbl *table.Table
		for _, state := range []string{"cold", "warm"} {
			measure(t, c.what+", iceberg-go, "+state, nil, func() (int, error) {
				if tbl == nil {
					var err error
					if tbl, err = theirs(context.Background(), dir, filepath.Join(dir, "metadata", "v1.metadata.json")); err != nil {
						return 0, err
					}
				}
				list, err := planned(context.Background(), tbl, c.filter)
				return len(list), err
			})
		}
	}
}
