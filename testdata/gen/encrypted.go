package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// encryptedRows is how many rows the encrypted files have, in two row groups.
const encryptedRows = 60

// encryptedKeys are the keys of each size.
var encryptedKeys = map[int]struct{ footer, name, item string }{
	16: {"footer key of 16", "column key of 16", "another key (16)"},
	24: {"the footer's key, of 24..", "a column key, 24 bytes ..", "another column key (24) "},
	32: {"the footer's key, of 32 bytes ...", "a column key, 32 bytes long .....", "another column key, of 32 bytes.."},
}

// encryption is one way to write an encrypted file.
type encryption struct {
	ctr, plaintextFooter, uniform bool
	bits                          int
	aad                           string // none, stored or supplied
}

func (e encryption) String() string {
	algorithm, footer, keys := "gcm", "sealed", "columns"
	if e.ctr {
		algorithm = "ctr"
	}
	if e.plaintextFooter {
		footer = "plain"
	}
	if e.uniform {
		keys = "uniform"
	}
	return fmt.Sprintf("%s_%s_%d_%s_%s", algorithm, footer, e.bits, e.aad, keys)
}

// keys are the file's keys. A footer key of 24 bytes is cut from a longer text.
func (e encryption) keys() (footer, name, item string) {
	k := encryptedKeys[e.bits/8]
	return k.footer[:e.bits/8], k.name[:e.bits/8], k.item[:e.bits/8]
}

// encryptedFiles writes the same rows in all ways that arrow-go can encrypt. Nonces are
// random, so that files that exist stay as they are.
func (g *generator) encryptedFiles() {
	const folder = "files/arrow-go/encrypted/"
	first := folder + "clear.parquet"
	g.keep(first, func() []byte { return encryptedFile(nil, 0) })
	g.add(first, "arrow-go", "testdata/gen/encrypted.go", encryptedAnswer(), "")
	n := 0
	for _, ctr := range []bool{false, true} {
		for _, plaintext := range []bool{false, true} {
			for _, bits := range []int{128, 192, 256} {
				for _, aad := range []string{"none", "stored", "supplied"} {
					for _, uniform := range []bool{false, true} {
						e := encryption{ctr, plaintext, uniform, bits, aad}
						name := folder + e.String() + ".parquet.encrypted"
						n++
						g.keep(name, func() []byte { return encryptedFile(&e, n) })
						g.add(name, "arrow-go", "testdata/gen/encrypted.go", nil, first)
						g.config(name, first, e.config())
					}
				}
			}
		}
	}
}

// duckdbEncrypted records encrypted files of DuckDB 1.3, the last that encrypts without an
// extension. DuckDB's encryption knows one key per file.
func (g *generator) duckdbEncrypted() {
	for _, f := range []struct{ name, options string }{
		{"encrypted_128_v1_snappy", ""},
		{"encrypted_192_v2_zstd", "PARQUET_VERSION v2, COMPRESSION zstd, "},
		{"encrypted_256_v1_uncompressed", "COMPRESSION uncompressed, "},
	} {
		name := "files/duckdb/" + f.name + ".parquet.encrypted"
		sum := sha256.Sum256(value(os.ReadFile(g.path(name))))
		how := "COPY (SELECT i::INTEGER i, 's'||(i%10) s, CASE WHEN i % 4 <> 1 THEN [i::INTEGER, i::INTEGER + 1] END l FROM range(100) t(i)) TO … (FORMAT parquet, " +
			f.options + "ENCRYPTION_CONFIG {footer_key: …}), with github.com/marcboeker/go-duckdb/v2 v2.3.3"
		g.files = append(g.files, made{File: name, Writer: "DuckDB v1.3.2", How: how, SHA256: hex.EncodeToString(sum[:])})
	}
}

// keep writes a file unless it exists.
func (g *generator) keep(name string, content func() []byte) {
	if _, err := os.Stat(g.path(name)); err != nil {
		must(os.WriteFile(g.path(name), content(), 0o644))
	}
}

// config replaces an answer by one that says how to open the file.
func (g *generator) config(name, same string, config map[string]any) {
	text := value(json.Marshal(map[string]any{"same_as": same, "config": config}))
	must(os.WriteFile(g.path("expected", name+".json"), append(text, '\n'), 0o644))
}

// config are the options that the file is opened with.
func (e encryption) config() map[string]any {
	code := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	footer, name, item := e.keys()
	out := map[string]any{"footer_key": code(footer)}
	if !e.uniform {
		out["column_keys"] = map[string]string{"name": code(name), "items.list.element.b": code(item)}
	}
	if e.aad == "supplied" {
		out["aad_prefix"] = code("the file's name")
	}
	return out
}

func (e encryption) properties() *parquet.FileEncryptionProperties {
	footer, name, item := e.keys()
	options := []parquet.EncryptOption{parquet.WithAlg(parquet.AesGcm), parquet.WithFooterKeyID("footer")}
	if e.ctr {
		options[0] = parquet.WithAlg(parquet.AesCtr)
	}
	if e.plaintextFooter {
		options = append(options, parquet.WithPlaintextFooter())
	}
	if e.aad != "none" {
		options = append(options, parquet.WithAadPrefix("the file's name"))
	}
	if e.aad == "supplied" {
		options = append(options, parquet.DisableAadPrefixStorage())
	}
	if !e.uniform {
		columns := parquet.ColumnPathToEncryptionPropsMap{}
		columns["id"] = parquet.NewColumnEncryptionProperties("id")
		columns["name"] = parquet.NewColumnEncryptionProperties("name", parquet.WithKey(name), parquet.WithKeyID("name"))
		columns["items.list.element.b"] = parquet.NewColumnEncryptionProperties("items.list.element.b", parquet.WithKey(item), parquet.WithKeyID("item"))
		options = append(options, parquet.WithEncryptedColumns(columns))
	}
	return parquet.NewFileEncryptionProperties(footer, options...)
}

// encryptedFile writes the rows, by page version and codec in turn.
func encryptedFile(e *encryption, turn int) []byte {
	options := []parquet.WriterProperty{
		parquet.WithBatchSize(8), parquet.WithDataPageSize(100), parquet.WithPageIndexEnabled(true), parquet.WithMaxRowGroupLength(encryptedRows / 2),
		parquet.WithDataPageVersion([]parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2}[turn%2]),
		parquet.WithCompression([]compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd}[turn%3]),
		parquet.WithDictionaryDefault(false), parquet.WithDictionaryFor("name", true), parquet.WithMaxBloomFilterBytes(64),
	}
	// arrow-go 18.8.0 panics where it would have to add a filter's offset to metadata
	// that it has encrypted.
	if e == nil || e.uniform && !e.plaintextFooter {
		options = append(options, parquet.WithBloomFilterEnabledFor("name", true))
	}
	if e != nil {
		options = append(options, parquet.WithEncryptionProperties(e.properties()))
	}
	var rows bytes.Buffer
	for i := range encryptedRows {
		must(json.NewEncoder(&rows).Encode(encryptedRow(i)))
	}
	item := arrow.StructOf(arrow.Field{Name: "a", Type: arrow.PrimitiveTypes.Int32, Nullable: true}, arrow.Field{Name: "b", Type: arrow.BinaryTypes.String, Nullable: true})
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.PrimitiveTypes.Int64},
		{Name: "name", Type: arrow.BinaryTypes.String, Nullable: true},
		{Name: "open", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "items", Type: arrow.ListOf(item), Nullable: true},
	}, nil)
	batch := value1(array.RecordFromJSON(memory.DefaultAllocator, schema, strings.NewReader("["+strings.ReplaceAll(strings.TrimSpace(rows.String()), "\n", ",")+"]")))
	var out bytes.Buffer
	w := value(pqarrow.NewFileWriter(schema, &out, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps()))
	must(w.Write(batch))
	must(w.Close())
	return out.Bytes()
}

func value1[T any](v T, _ int64, err error) T { return value(v, err) }

// encryptedRow is a row as JSON.
func encryptedRow(i int) map[string]any {
	row := map[string]any{"id": i * 1000, "name": nil, "open": nil, "items": nil}
	if i%7 != 3 {
		row["name"] = fmt.Sprintf("name %d", i%10)
	}
	if i%5 != 2 {
		row["open"] = float64(i) / 4
	}
	if i%6 != 5 {
		items := []any{}
		for k := range i % 4 {
			items = append(items, map[string]any{"a": i + k, "b": fmt.Sprintf("secret %d of %d", k, i)})
		}
		row["items"] = items
	}
	return row
}

func encryptedAnswer() *answer {
	a := &answer{columns: []column{{"id", "BIGINT", false}, {"name", "VARCHAR", true}, {"open", "DOUBLE", true}, {"items", "LIST", true}}}
	for i := range encryptedRows {
		row := encryptedRow(i)
		items := row["items"]
		if items != nil {
			items = map[string]any{"json": items}
		}
		a.rows = append(a.rows, []any{row["id"], row["name"], row["open"], items})
	}
	return a
}
