// Command fraugster writes a file by fraugster/parquet-go, whose dependencies are too
// old for the module above: pages of version 2 whose num_rows is wrong.
package main

import (
	"fmt"
	"os"

	goparquet "github.com/fraugster/parquet-go"
	"github.com/fraugster/parquet-go/parquet"
	"github.com/fraugster/parquet-go/parquetschema"
)

const schema = `message rows {
	required int64 id;
	optional binary name (STRING);
	required group tags (LIST) {
		repeated group list {
			required binary element (STRING);
		}
	}
}`

// main writes 200 rows. rowsOfXitongsys in ../scripts.go has the same rows.
//
//	go run . ../../files/fraugster/v2.parquet
func main() {
	f, err := os.Create(os.Args[1])
	check(err)
	definition, err := parquetschema.ParseSchemaDefinition(schema)
	check(err)
	w := goparquet.NewFileWriter(f, goparquet.WithSchemaDefinition(definition), goparquet.WithDataPageV2(),
		goparquet.WithMaxPageSize(300), goparquet.WithMaxRowGroupSize(4000),
		goparquet.WithCompressionCodec(parquet.CompressionCodec_SNAPPY))
	for i := range 200 {
		row := map[string]any{"id": int64(i)}
		if i%5 != 0 {
			row["name"] = fmt.Appendf(nil, "row %d", i)
		}
		tags := []map[string]any{}
		for k := range i % 4 {
			tags = append(tags, map[string]any{"element": fmt.Appendf(nil, "t%d", i+k)})
		}
		row["tags"] = map[string]any{}
		if len(tags) > 0 {
			row["tags"] = map[string]any{"list": tags}
		}
		check(w.AddData(row))
	}
	check(w.Close())
	check(f.Close())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
