package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/parquetsql/parquetsql/bench/tables"
)

// generate writes the files that are missing.
func generate(dir, corrupt string) error {
	if err := tables.Write(dir, files, nil); err != nil {
		return err
	}
	for name, from := range copies {
		data, err := os.ReadFile(filepath.Join(corrupt, from))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".parquet"), data, 0o666); err != nil {
			return err
		}
	}
	if err := writeHidden(filepath.Join(dir, "hidden.parquet")); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(dir, "keys.parquet"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "footer.parquet"), withEmptyPairs(data, 4<<20), 0o666)
}

// hiddenKey is the key of the file of hiddenRows rows and half as many texts that is
// encrypted, which DuckDB writes with an extension only.
const (
	hiddenKey  = "0123456789abcdef"
	hiddenRows = 2_000_000
)

// writeHidden writes that file if it is missing.
func writeHidden(path string) error {
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "s", Type: arrow.BinaryTypes.String}}, nil)
	var data bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &data, parquet.NewWriterProperties(
		parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDictionaryDefault(false), parquet.WithDataPageSize(1<<20),
		parquet.WithEncryptionProperties(parquet.NewFileEncryptionProperties(hiddenKey))), pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	const group = hiddenRows / 10
	for from := 0; from < hiddenRows; from += group {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for i := range group {
			b.Append(fmt.Sprint("name of ", (from+i)*7919%(hiddenRows/2)))
		}
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, group)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, data.Bytes(), 0o666)
}

// withEmptyPairs is a file whose footer has n key-value pairs of one byte each, which mean
// nothing: the field is appended to the struct of the footer, before its last byte.
func withEmptyPairs(file []byte, n int) []byte {
	const field, list, stop = 0x09, 0xfc, 0 // a list, with a number of its own; of structs, with its length; the end of a struct
	const keyValueMetadata = 5
	out := file[:len(file)-8] // without the length and PAR1
	start := len(out) - int(binary.LittleEndian.Uint32(file[len(file)-8:]))
	out = append(out[:len(out)-1:len(out)-1], field)
	out = binary.AppendVarint(out, keyValueMetadata)
	out = binary.AppendUvarint(append(out, list), uint64(n))
	out = append(out, make([]byte, n)...)
	out = append(out, stop)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(out)-start))
	return append(out, "PAR1"...)
}
