package deltas

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// Log is a large log of version 0: a checkpoint with one add for each file.
type Log struct {
	Files      int
	Partitions int // so many values of the partition column
	Columns    int // with statistics
	Parts      int // of the checkpoint
}

// Big writes a table of which there is only the log.
func Big(dir string, l Log) error {
	log := filepath.Join(dir, "_delta_log")
	if err := os.MkdirAll(log, 0o700); err != nil {
		return err
	}
	rows := l.table()
	name := filepath.Join(log, version(0)+".checkpoint")
	for part := range l.Parts {
		for i := l.Files * part / l.Parts; i < l.Files*(part+1)/l.Parts; i++ {
			rows = append(rows, l.add(i))
		}
		path := name + ".parquet"
		if l.Parts > 1 {
			path = fmt.Sprintf("%s.%010d.%010d.parquet", name, part+1, l.Parts)
		}
		if err := writeCheckpoint(path, rows); err != nil {
			return err
		}
		rows = rows[:0]
	}
	return nil
}

// table is the actions about the table.
func (l Log) table() []Action {
	columns := []field{{Name: "day", Type: "string", Nullable: true, Metadata: map[string]any{}}}
	for c := range l.Columns {
		columns = append(columns, field{Name: fmt.Sprintf("c%d", c), Type: "long", Nullable: true, Metadata: map[string]any{}})
	}
	return []Action{
		{Protocol: &Protocol{MinReader: 1, MinWriter: 2}},
		{MetaData: &MetaData{ID: "big", Format: Format{Provider: "parquet", Options: map[string]string{}}, Schema: schemaText(columns), PartitionColumns: []string{"day"}, Configuration: map[string]string{}}},
	}
}

func (l Log) add(i int) Action {
	day := fmt.Sprintf("day-%04d", i%l.Partitions)
	var low, high, nulls []byte
	for c := range l.Columns {
		low, high, nulls = fmt.Appendf(low, `,"c%d":%d`, c, i*10+c), fmt.Appendf(high, `,"c%d":%d`, c, i*10+c+9), fmt.Appendf(nulls, `,"c%d":0`, c)
	}
	stats := fmt.Sprintf(`{"numRecords":1000,"minValues":{%s},"maxValues":{%s},"nullCount":{%s}}`, low[1:], high[1:], nulls[1:])
	return Action{Add: &Add{
		Path: fmt.Sprintf("day=%s/part-%05d-b8d0c9a1-2f3e-4c5d-8e7f-%012d.c000.snappy.parquet", day, i%100, i), Partition: map[string]*string{"day": &day},
		Size: 1 << 20, Modified: 1700000000000, DataChange: true, Stats: &stats,
	}}
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
