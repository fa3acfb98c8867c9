package deltas

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// Big writes a table of so many files, of which there is only the log: a checkpoint of version 0
// with one add for each, of 1,000 partitions, with the statistics of 20 columns.
func Big(dir string, files int) error {
	log := filepath.Join(dir, "_delta_log")
	if err := os.MkdirAll(log, 0o700); err != nil {
		return err
	}
	columns := []field{{Name: "day", Type: "string", Nullable: true, Metadata: map[string]any{}}}
	for c := range 20 {
		columns = append(columns, field{Name: fmt.Sprintf("c%d", c), Type: "long", Nullable: true, Metadata: map[string]any{}})
	}
	rows := []Action{
		{Protocol: &Protocol{MinReader: 1, MinWriter: 2}},
		{MetaData: &MetaData{ID: "big", Format: Format{Provider: "parquet", Options: map[string]string{}}, Schema: schemaText(columns), PartitionColumns: []string{"day"}, Configuration: map[string]string{}}},
	}
	for i := range files {
		day := fmt.Sprintf("day-%04d", i%1000)
		var low, high, nulls []byte
		for c := range 20 {
			low, high, nulls = fmt.Appendf(low, `,"c%d":%d`, c, i*10+c), fmt.Appendf(high, `,"c%d":%d`, c, i*10+c+9), fmt.Appendf(nulls, `,"c%d":0`, c)
		}
		stats := fmt.Sprintf(`{"numRecords":1000,"minValues":{%s},"maxValues":{%s},"nullCount":{%s}}`, low[1:], high[1:], nulls[1:])
		rows = append(rows, Action{Add: &Add{
			Path: fmt.Sprintf("day=%s/part-%05d-b8d0c9a1-2f3e-4c5d-8e7f-%012d.c000.snappy.parquet", day, i%100, i), Partition: map[string]*string{"day": &day},
			Size: 1 << 20, Modified: 1700000000000, DataChange: true, Stats: &stats,
		}})
	}
	return writeCheckpoint(filepath.Join(log, version(0)+".checkpoint.parquet"), rows)
}

// version is a number as the names of a log have it.
func version(v int64) string { return fmt.Sprintf("%020d", v) }

func writeCheckpoint(name string, rows []Action) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close()
	w := parquet.NewGenericWriter[Action](f, parquet.Compression(&parquet.Snappy))
	if _, err := w.Write(rows); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
