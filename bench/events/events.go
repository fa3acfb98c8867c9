// Package events writes the files on which pruning is measured, with arrow-go: rows
// sorted by id with a page index, and unsorted keys with bloom filters.
package events

import (
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// GroupRows is the number of rows of a row group.
const GroupRows = 1_000_000

// Key is the key of row i: unique, in no order, and even, so that no odd key occurs.
func Key(i int64) int64 { return int64(uint64(i)*0x9E3779B97F4A7C15) &^ 1 }

// Write writes a file of so many rows: id BIGINT from 0 in order, key BIGINT
// with a bloom filter, name VARCHAR with a bloom filter, amount DOUBLE.
func Write(path string, rows int64) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	r := parquet.Repetitions.Required
	root, err := schema.NewGroupNode("events", r, schema.FieldList{
		schema.NewInt64Node("id", r, -1),
		schema.NewInt64Node("key", r, -1),
		schema.MustPrimitive(schema.NewPrimitiveNodeLogical("name", r, schema.StringLogicalType{}, parquet.Types.ByteArray, -1, -1)),
		schema.NewFloat64Node("amount", r, -1),
	}, -1)
	if err != nil {
		return err
	}
	options := []parquet.WriterProperty{
		parquet.WithCompression(compress.Codecs.Snappy), parquet.WithPageIndexEnabled(true), parquet.WithDataPageSize(32 << 10),
		parquet.WithDictionaryDefault(false), parquet.WithBloomFilterEnabledFor("key", true), parquet.WithBloomFilterEnabledFor("name", true),
		parquet.WithBloomFilterNDVFor("key", GroupRows), parquet.WithBloomFilterNDVFor("name", GroupRows), parquet.WithMaxRowGroupLength(GroupRows),
		parquet.WithVersion(parquet.V2_LATEST),
	}
	w := file.NewParquetWriter(out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	random := rand.New(rand.NewPCG(1, 1))
	for first := int64(0); first < rows; first += GroupRows {
		if err := writeGroup(w.AppendRowGroup(), first, min(GroupRows, rows-first), random); err != nil {
			return err
		}
	}
	return w.Close()
}

func writeGroup(group file.SerialRowGroupWriter, first, n int64, random *rand.Rand) error {
	ids, keys, amounts := make([]int64, n), make([]int64, n), make([]float64, n)
	names := make([]parquet.ByteArray, n)
	for i := range n {
		ids[i], keys[i] = first+i, Key(first+i)
		names[i] = fmt.Appendf(nil, "user-%x", uint64(keys[i]))
		amounts[i] = float64(random.Int64N(1_000_000)) / 100
	}
	for _, write := range []func(file.ColumnChunkWriter) error{
		func(w file.ColumnChunkWriter) error {
			_, err := w.(*file.Int64ColumnChunkWriter).WriteBatch(ids, nil, nil)
			return err
		},
		func(w file.ColumnChunkWriter) error {
			_, err := w.(*file.Int64ColumnChunkWriter).WriteBatch(keys, nil, nil)
			return err
		},
		func(w file.ColumnChunkWriter) error {
			_, err := w.(*file.ByteArrayColumnChunkWriter).WriteBatch(names, nil, nil)
			return err
		},
		func(w file.ColumnChunkWriter) error {
			_, err := w.(*file.Float64ColumnChunkWriter).WriteBatch(amounts, nil, nil)
			return err
		},
	} {
		column, err := group.NextColumn()
		if err == nil {
			err = write(column)
		}
		if err == nil {
			err = column.Close()
		}
		if err != nil {
			return err
		}
	}
	return group.Close()
}
