package fileformat

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// headBytes is how many bytes of a file's beginning are used to recognise its format.
const headBytes = 16

// foreignFormats are the first bytes of files of other formats.
var foreignFormats = []struct{ magic, name string }{
	{"\x1f\x8b", "a gzip file"}, {"PK\x03\x04", "a ZIP file"}, {"\x28\xb5\x2f\xfd", "a Zstandard file"}, {"BZh", "a bzip2 file"},
	{"\xfd7zXZ\x00", "an XZ file"}, {"ARROW1", "an Arrow file (Feather)"}, {"FEA1", "a Feather file"}, {"ORC", "an ORC file"},
	{"Obj\x01", "an Avro file"}, {"SQLite format 3", "a SQLite database"}, {"\x89HDF", "an HDF5 file"}, {"{", "JSON"}, {"[", "JSON"},
}

// notParquet is the error for a file that begins or ends with other bytes than a
// Parquet file. If the first bytes are known, it names the file's probable format.
func notParquet(head []byte, end string) error {
	if bytes.HasPrefix(head, []byte(magic)) {
		return fmt.Errorf("it begins as a Parquet file but ends with %q instead of %q: it is cut off or damaged", end, magic)
	}
	if format := foreign(head); format != "" {
		return fmt.Errorf("not a Parquet file: it looks like %s", format)
	}
	return fmt.Errorf("not a Parquet file: it begins with %q and ends with %q, where both are %q in a Parquet file", head[:min(len(head), len(magic))], end, magic)
}

// foreign is the format that a file of such first bytes probably has; "" where that is unknown.
func foreign(head []byte) string {
	for _, f := range foreignFormats {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name
		}
	}
	if isText(head) {
		return "text, such as CSV"
	}
	return ""
}

// isText reports whether the bytes are printable. The last character may be cut off.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && n == 1:
			return len(head) < utf8.UTFMax && !utf8.FullRune(head)
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f:
			return false
		}
		head = head[n:]
	}
	return true
}
