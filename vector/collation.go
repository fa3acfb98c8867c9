package vector

import "strings"

// Collation says how texts of a type are compared: by what is the same of them. It is no
// part of a type's identity, see Type.Equal.
type Collation uint8

// The collations, which may be combined.
const (
	NoCase   Collation = 1 << iota // in lower case
	NoAccent                       // without marks
	NFC                            // in the normal form NFC
	Binary                         // byte by byte, as without a collation
)

// ParseCollation is the collation of a name, such as NOCASE; ok is false if there is none.
func ParseCollation(name string) (c Collation, ok bool) {
	switch strings.ToUpper(name) {
	case "NOCASE":
		return NoCase, true
	case "NOACCENT":
		return NoAccent, true
	case "NFC":
		return NFC, true
	case "BINARY", "C", "POSIX":
		return Binary, true
	}
	return 0, false
}
