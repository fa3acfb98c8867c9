package parquetsql

import (
	"database/sql/driver"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/vector"
)

// UUID is a UUID, whose driver value is text, as it has in JSON too. As an argument it is a UUID.
type UUID struct {
	Bytes [16]byte
	Valid bool // false for NULL
}

// Scan implements sql.Scanner: of text, and of a BLOB of 16 bytes.
func (u *UUID) Scan(src any) (err error) {
	defer prefix(&err)
	*u = UUID{}
	if src == nil {
		return nil
	}
	if b, ok := src.([]byte); ok && len(b) == len(u.Bytes) { // a BLOB; texts are longer
		*u = UUID{Bytes: [16]byte(b), Valid: true}
		return nil
	}
	text, err := scanText(src, "UUID")
	if err != nil {
		return err
	}
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		b, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		if err == nil && len(b) == 16 {
			*u = UUID{Bytes: [16]byte(b), Valid: true}
			return nil
		}
	}
	return fmt.Errorf("%.50q is not a UUID", text)
}

// String is 8-4-4-4-12 lower-case hexadecimal digits; NULL for NULL.
func (u UUID) String() string {
	if !u.Valid {
		return "NULL"
	}
	h := hex.EncodeToString(u.Bytes[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// Value implements driver.Valuer: the text that String has, nil for NULL.
func (u UUID) Value() (driver.Value, error) { return valueOf(u, !u.Valid) }

// MarshalText implements encoding.TextMarshaler: what String has, nothing for NULL.
func (u UUID) MarshalText() ([]byte, error) { return textOf(u, !u.Valid) }

// UnmarshalText implements encoding.TextUnmarshaler; an empty text is NULL.
func (u *UUID) UnmarshalText(text []byte) error { return scanFrom(text, u) }

// MarshalJSON implements json.Marshaler: a string, null for NULL.
func (u UUID) MarshalJSON() ([]byte, error) { return marshal(u, !u.Valid) }

// UnmarshalJSON implements json.Unmarshaler: from a string or null.
func (u *UUID) UnmarshalJSON(data []byte) error { return unmarshal(data, u) }

// scalar is the value as an argument.
func (u UUID) scalar() vector.Scalar {
	if !u.Valid {
		return vector.NullOf(vector.Of(vector.Null))
	}
	return vector.Scalar{Type: vector.Of(vector.UUID), Str: string(u.Bytes[:])}
}
