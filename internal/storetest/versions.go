package storetest

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// versionsFile has dictionaries of texts and floats, uncompressed and without checksums.
const versionsFile = "files/parquet-testing/data/alltypes_tiny_pages.parquet"

// VersionsQuery reads the columns in which the versions of Versions differ, of all rows.
const VersionsQuery = "SELECT id, date_string_col, float_col FROM t WHERE id % 3 = 1 ORDER BY id"

// Versions are two versions of one file, of the same size: in the second the dates are ten years
// later, and 100.5 stands for 1.1. Rows that mix them are of neither. Both are longer than what
// comes with the description of an object.
func Versions(t testing.TB, testdata string) (first, second []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(testdata, versionsFile))
	if err != nil {
		t.Fatal(err)
	}
	footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	first = bytes.Join([][]byte{data[:footer], make([]byte, 600<<10), data[footer:]}, nil)
	float := func(v float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }
	second = first
	for old, now := range map[string]string{"/09": "/19", "/10": "/20", string(float(1.1)): string(float(100.5))} {
		second = bytes.ReplaceAll(second, []byte(old), []byte(now))
	}
	return first, second
}

// VersionRows are the rows of both versions, read from the disk.
func VersionRows(t testing.TB, first, second []byte) [2][]string {
	t.Helper()
	var out [2][]string
	for i, data := range [][]byte{first, second} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "t.parquet"), data, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := rowsOfFolder(dir)
		if err != nil || len(rows) < 2000 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		out[i] = rows
	}
	return out
}
