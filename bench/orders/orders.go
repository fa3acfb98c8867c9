// Package orders writes the file on which pruning by the elements of lists is tested,
// with arrow-go: the values of the items rise with the number of the order.
package orders

import (
	"fmt"
	"os"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// GroupRows is the number of rows of a row group.
const GroupRows = 10_000

// Item is an element of an order's list.
type Item struct {
	Price  int64   // rises from order to order
	Rebate *int64  // a tenth of Price; NULL for some
	SKU    string  // rises too
	Code   string  // in no order, with a bloom filter
	Kind   string  // a, z, or one that only its row group has; dictionary-encoded
	Parts  []int32 // rise too
}

// Code is the code of item k of order i: "c" and 16 digits. Most such codes do not
// occur.
func Code(i int64, k int) string {
	return fmt.Sprintf("c%016x", uint64(i*4+int64(k))*0x9E3779B97F4A7C15)
}

// Items is the list of order i, of 0 to 3 items. It is nil, NULL in the file, for
// every eighth order, which would have an empty list.
func Items(i int64) []Item {
	if i%8 == 0 {
		return nil
	}
	items := []Item{}
	for k := range int(i % 4) {
		item := Item{Price: i*10 + int64(k), SKU: fmt.Sprintf("sku-%08d", i*4+int64(k)), Code: Code(i, k)}
		if i%7 != 0 {
			rebate := item.Price / 10
			item.Rebate = &rebate
		}
		item.Kind = []string{"a", fmt.Sprintf("k%d", i/GroupRows), "z"}[k]
		for p := range k {
			item.Parts = append(item.Parts, int32(i*2)+int32(p))
		}
		items = append(items, item)
	}
	return items
}

// Write writes a file of so many row groups: id BIGINT from 0 in order, items a
// LIST of STRUCT with the fields of Item in lower case.
func Write(path string, groups int64) error {
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	defer out.Close()
	text := arrow.BinaryTypes.String
	item := arrow.StructOf(
		arrow.Field{Name: "price", Type: arrow.PrimitiveTypes.Int64}, arrow.Field{Name: "rebate", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
		arrow.Field{Name: "sku", Type: text}, arrow.Field{Name: "code", Type: text}, arrow.Field{Name: "kind", Type: text},
		arrow.Field{Name: "parts", Type: arrow.ListOfNonNullable(arrow.PrimitiveTypes.Int32)},
	)
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "items", Type: arrow.ListOfNonNullable(item), Nullable: true},
	}, nil)
	props := parquet.NewWriterProperties(
		parquet.WithPageIndexEnabled(true), parquet.WithDataPageSize(8<<10), parquet.WithBatchSize(128), parquet.WithDictionaryDefault(false),
		parquet.WithDictionaryFor("items.list.element.kind", true), parquet.WithBloomFilterEnabledFor("items.list.element.code", true),
		parquet.WithBloomFilterNDVFor("items.list.element.code", 2*GroupRows),
	)
	w, err := pqarrow.NewFileWriter(schema, out, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	for g := range groups {
		if err := w.Write(group(schema, g*GroupRows)); err != nil {
			return err
		}
	}
	return w.Close()
}

// group is a row group: the orders from first on.
func group(schema *arrow.Schema, first int64) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	ids, lists := b.Field(0).(*array.Int64Builder), b.Field(1).(*array.ListBuilder)
	item := lists.ValueBuilder().(*array.StructBuilder)
	prices, rebates := item.FieldBuilder(0).(*array.Int64Builder), item.FieldBuilder(1).(*array.Int64Builder)
	parts := item.FieldBuilder(5).(*array.ListBuilder)
	for i := first; i < first+GroupRows; i++ {
		ids.Append(i)
		items := Items(i)
		lists.Append(items != nil)
		for _, x := range items {
			item.Append(true)
			prices.Append(x.Price)
			if x.Rebate == nil {
				rebates.AppendNull()
			} else {
				rebates.Append(*x.Rebate)
			}
			for f, text := range []string{x.SKU, x.Code, x.Kind} {
				item.FieldBuilder(2 + f).(*array.StringBuilder).Append(text)
			}
			parts.Append(true)
			for _, p := range x.Parts {
				parts.ValueBuilder().(*array.Int32Builder).Append(p)
			}
		}
	}
	return b.NewRecordBatch()
}
