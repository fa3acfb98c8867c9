package deltas

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// Wide is a row of the table whose rows are deleted.
type Wide struct {
	ID    int64   `parquet:"id"`
	Value float64 `parquet:"value"`
	Group int32   `parquet:"grp"`
	Text  string  `parquet:"text,dict"`
}

// Deleted writes a table of one file of so many rows, of which a part is deleted.
func Deleted(dir string, rows int, part float64) error {
	t := &Table{Dir: dir, r: rand.New(rand.NewSource(1)), mapping: "none"}
	if err := os.MkdirAll(filepath.Join(dir, "_delta_log"), 0o700); err != nil {
		return err
	}
	name := filepath.Join(dir, "part.parquet")
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[Wide](f, parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(1<<19))
	for i := range rows {
		row := Wide{int64(i), t.r.NormFloat64(), int32(t.r.Intn(1000)), words[t.r.Intn(len(words))]}
		if _, err := w.Write([]Wide{row}); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	fields := []field{}
	for _, c := range [][2]string{{"id", "long"}, {"value", "double"}, {"grp", "integer"}, {"text", "string"}} {
		fields = append(fields, field{Name: c[0], Type: c[1], Nullable: true, Metadata: map[string]any{}})
	}
	stats := fmt.Sprintf(`{"numRecords":%d}`, rows)
	add := &Add{Path: "part.parquet", Partition: map[string]*string{}, Size: info.Size(), DataChange: true, Stats: &stats}
	gone := map[int]bool{}
	for len(gone) < int(float64(rows)*part) {
		gone[t.r.Intn(rows)] = true
	}
	if len(gone) > 0 {
		if add.Vector, err = t.vector(gone); err != nil {
			return err
		}
	}
	features := []string{"deletionVectors"}
	return writeJSON(filepath.Join(dir, "_delta_log", version(0)+".json"), []Action{
		{Protocol: &Protocol{MinReader: 3, MinWriter: 7, ReaderFeatures: features, WriterFeatures: features}},
		{MetaData: &MetaData{ID: "wide", Format: Format{Provider: "parquet", Options: map[string]string{}}, Schema: schemaText(fields), PartitionColumns: []string{}, Configuration: map[string]string{}}},
		{Add: add},
	})
}
