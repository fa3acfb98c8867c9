package wire

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"
)

// An argument that is an array becomes a LIST by way of JSON, whose texts need no rules of their
// own. Its elements are texts there, which the cast to the type of the list reads.

// arrayArgument is a list of values.
func arrayArgument(elem uint32, format int16, data []byte) (any, error) {
	var list []any // texts, or nil
	var err error
	if format == 1 {
		list, err = binaryElements(elem, data)
	} else {
		list, err = literalElements(string(data))
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	of := sqlTypes[elem]
	if elem == Numeric {
		of = fmt.Sprintf("DECIMAL(%d,%d)", maxDigits, longestFraction(list))
	}
	return parquetsql.Typed{Type: of + "[]", Value: parquetsql.Typed{Type: "VARCHAR[]", Value: parquetsql.Typed{Type: "JSON", Value: string(text)}}}, nil
}

// longestFraction is how many digits behind the point decimals need.
func longestFraction(list []any) int {
	longest := 0
	for _, x := range list {
		if text, ok := x.(string); ok {
			_, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
			longest = max(longest, len(fraction))
		}
	}
	return min(longest, maxDigits)
}

// literalElements are the elements of {a,"b c",NULL}.
func literalElements(text string) ([]any, error) {
	rest := strings.TrimSpace(text)
	if !strings.HasPrefix(rest, "{") || !strings.HasSuffix(rest, "}") || len(rest) < 2 {
		return nil, fmt.Errorf("%.50q is no array: it has no braces", text)
	}
	out := []any{}
	if rest = strings.TrimSpace(rest[1:]); rest == "}" {
		return out, nil
	}
	for {
		element, quoted, after, err := literalElement(rest)
		if err != nil {
			return nil, fmt.Errorf("%.50q is no array: %w", text, err)
		}
		if !quoted && strings.EqualFold(element, "null") {
			out = append(out, nil)
		} else {
			out = append(out, element)
		}
		switch {
		case after == "}":
			return out, nil
		case !strings.HasPrefix(after, ","):
			return nil, fmt.Errorf("%.50q is no array of one dimension", text)
		}
		rest = strings.TrimSpace(after[1:])
	}
}

// literalElement is the element at the head of a text, and what follows it.
func literalElement(text string) (element string, quoted bool, after string, err error) {
	var out strings.Builder
	i := 0
	if quoted = strings.HasPrefix(text, `"`); quoted {
		i++
	}
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			out.WriteByte(text[i])
		case quoted && c == '"':
			return out.String(), true, strings.TrimSpace(text[i+1:]), nil
		case !quoted && (c == '{' || c == '"'):
			return "", false, "", errors.New("it has more than one dimension, or a quote within an element")
		case !quoted && (c == ',' || c == '}'):
			element = strings.TrimSpace(out.String())
			if element == "" {
				return "", false, "", errors.New("an element is missing")
			}
			return element, false, strings.TrimSpace(text[i:]), nil
		default:
			out.WriteByte(c)
		}
	}
	return "", false, "", errors.New("it does not end")
}

// binaryElements are the elements of an array in the binary format, as texts.
func binaryElements(elem uint32, data []byte) ([]any, error) {
	if len(data) < 12 {
		return nil, errLength("array")
	}
	dimensions, of := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[8:])
	data = data[12:]
	switch {
	case dimensions == 0:
		return []any{}, nil
	case dimensions > 1:
		return nil, errors.New("it has more than one dimension")
	case of != elem:
		return nil, fmt.Errorf("its elements are of the type %d", of)
	case len(data) < 8:
		return nil, errLength("array")
	}
	count := int(binary.BigEndian.Uint32(data))
	if data = data[8:]; count > len(data)/4 {
		return nil, errLength("array")
	}
	out := make([]any, count)
	for i := range out {
		if len(data) < 4 {
			return nil, errLength("array")
		}
		length := int(int32(binary.BigEndian.Uint32(data)))
		if data = data[4:]; length == -1 {
			continue
		}
		if length < 0 || length > len(data) {
			return nil, errLength("array")
		}
		text, err := elementText(elem, data[:length])
		if err != nil {
			return nil, err
		}
		out[i], data = text, data[length:]
	}
	return out, nil
}

// elementText is the text of an element that is given as bytes.
func elementText(elem uint32, data []byte) (string, error) {
	value, err := fromBinary(elem, data)
	if err != nil {
		return "", err
	}
	if t, ok := value.(parquetsql.Typed); ok {
		value = t.Value
	}
	if _, ok := value.([]byte); ok {
		return "", errors.New("arrays of bytea are not supported as arguments")
	}
	return formatted(value), nil
}

// formatted is a value as the text that a CAST reads.
func formatted(value any) string {
	if t, ok := value.(time.Time); ok {
		return t.Format("2006-01-02 15:04:05.999999")
	}
	return fmt.Sprint(value)
}
