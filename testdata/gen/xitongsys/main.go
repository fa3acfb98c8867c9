// Command xitongsys writes a file by xitongsys/parquet-go, whose dependencies are
// too old for the module above.
package main

import (
	"fmt"
	"os"

	"github.com/xitongsys/parquet-go-source/writerfile"
	"github.com/xitongsys/parquet-go/writer"
)

type row struct {
	ID   int64    `parquet:"name=id, type=INT64"`
	Name *string  `parquet:"name=name, type=BYTE_ARRAY, convertedtype=UTF8"`
	Tags []string `parquet:"name=tags, type=LIST, valuetype=BYTE_ARRAY, valueconvertedtype=UTF8"`
}

// main writes a file with a page index. rowsOfXitongsys in ../scripts.go has the same rows.
//
//	go run . ../../files/xitongsys/page_index.parquet
func main() {
	f, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	w, err := writer.NewParquetWriter(writerfile.NewWriterFile(f), new(row), 1)
	if err != nil {
		panic(err)
	}
	w.PageSize = 200
	w.RowGroupSize = 3000
	for i := range 200 {
		r := row{ID: int64(i)}
		if i%5 != 0 {
			s := fmt.Sprintf("row %d", i)
			r.Name = &s
		}
		for k := range i % 4 {
			r.Tags = append(r.Tags, fmt.Sprintf("t%d", i+k))
		}
		if err := w.Write(r); err != nil {
			panic(err)
		}
	}
	if err := w.WriteStop(); err != nil {
		panic(err)
	}
	if err := f.Close(); err != nil {
		panic(err)
	}
}
