package main

import (
	"fmt"
	"math"
)

// scripted records the files that programs in folders of their own write: their
// writers are not Go modules, or too old for this module's dependencies. The rows
// are those programs' source data.
func (g *generator) scripted() {
	dsnp, lite := "files/parquetjs/dsnp_v2.parquet", "files/parquetjs/lite_v2.parquet"
	g.addAs(dsnp, "@dsnp/parquetjs 1.8.8", "testdata/gen/parquetjs/main.js", rowsOfParquetjs(), "")
	g.addAs(lite, "parquetjs-lite 0.8.7", "testdata/gen/parquetjs/main.js", nil, dsnp)
	xitongsys := "files/xitongsys/page_index.parquet"
	g.addAs(xitongsys, "xitongsys/parquet-go v1.6.2", "testdata/gen/xitongsys/main.go", rowsOfXitongsys(), "")
	g.addAs("files/fraugster/v2.parquet", "fraugster/parquet-go v0.12.0", "testdata/gen/fraugster/main.go", nil, xitongsys)
	g.addAs("files/hyparquet/v0.6.1.parquet", "hyparquet-writer 0.6.1", "testdata/gen/hyparquet/main.mjs", rowsOfHyparquet(), "")
	g.addAs("files/hyparquet/json_v0.10.1.parquet", "hyparquet-writer 0.10.1", "testdata/gen/hyparquet/json.mjs", rowsOfJSON(), "")
	g.addAs("files/parquet-rs/null_pages.parquet", "parquet-wasm 0.8.0 (parquet-rs 59.3.0)", "testdata/gen/parquet-wasm/main.mjs", rowsOfLists(), "")
	g.addAs("files/polars/nan.parquet", "nodejs-polars 0.26.1", "testdata/gen/polars/main.cjs", rowsOfPolars(), "")
}

func asJSON(v any) any { return map[string]any{"json": v} }

// commonRow has the columns that the programs have in common: id, name, tags.
func commonRow(i int) []any {
	var name any
	if i%5 != 0 {
		name = fmt.Sprintf("row %d", i)
	}
	tags := []string{}
	for k := range i % 4 {
		tags = append(tags, fmt.Sprintf("t%d", i+k))
	}
	return []any{i, name, asJSON(tags)}
}

func rowsOfParquetjs() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"name", "VARCHAR", true}, {"tags", "LIST", false}, {"items", "LIST", false}}}
	for i := range 100 {
		type item struct {
			N int      `json:"n"`
			X *float64 `json:"x"`
		}
		items := []item{}
		for k := range i * 7 % 3 {
			it := item{N: i*10 + k}
			if k%2 == 0 {
				x := float64(i) / 4
				it.X = &x
			}
			items = append(items, it)
		}
		a.rows = append(a.rows, append(commonRow(i), asJSON(items)))
	}
	return a
}

func rowsOfXitongsys() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"name", "VARCHAR", true}, {"tags", "LIST", false}}}
	for i := range 200 {
		a.rows = append(a.rows, commonRow(i))
	}
	return a
}

func rowsOfHyparquet() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"name", "VARCHAR", true}, {"text", "VARCHAR", false}, {"x", "DOUBLE", false}}}
	for i := range 200 {
		a.rows = append(a.rows, append(commonRow(i)[:2], fmt.Sprintf("all texts begin with these words, then %d", i), float64(i)/4))
	}
	return a
}

// rowsOfJSON: hyparquet-writer wrote a NULL as the JSON text null.
func rowsOfJSON() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"j", "JSON", true}}}
	for i := range 60 {
		var j any
		if i%3 != 0 {
			j = map[string]int{"n": i}
		}
		a.rows = append(a.rows, []any{i, asJSON(j)})
	}
	return a
}

func rowsOfLists() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"tags", "LIST", false}}}
	for i := range 200 {
		tags := []*string{}
		for k := range i % 4 {
			var tag *string
			if (i+k)%3 != 0 {
				text := fmt.Sprintf("t%d", i+k)
				tag = &text
			}
			tags = append(tags, tag)
		}
		a.rows = append(a.rows, []any{i, asJSON(tags)})
	}
	return a
}

func rowsOfPolars() *answer {
	a := &answer{columns: []column{{"id", "INTEGER", true}, {"x", "DOUBLE", true}}}
	for i := range 200 {
		var x any
		switch {
		case i%50 >= 20:
			x = float64(i) / 4
		case i%50 >= 10:
			x = number(math.NaN(), 64)
		}
		a.rows = append(a.rows, []any{i, x})
	}
	return a
}
