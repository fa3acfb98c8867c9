package main

import (
	"encoding/binary"
	"os"
	"path/filepath"

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
	data, err := os.ReadFile(filepath.Join(dir, "keys.parquet"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "footer.parquet"), withEmptyPairs(data, 4<<20), 0o666)
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
