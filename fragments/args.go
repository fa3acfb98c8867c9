package fragments

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql"
)

// Arg is an argument of a statement as JSON.
type Arg struct {
	Name  string `json:"name,omitempty"` // of a named one
	Type  string `json:"type"`
	Value string `json:"value,omitempty"`
	Bytes []byte `json:"bytes,omitempty"`
	Items []Arg  `json:"items,omitempty"` // of a list, whose Value is the type of its elements
}

// argsOf are arguments as JSON has them.
func argsOf(args []any) ([]Arg, error) {
	out := make([]Arg, len(args))
	for i, a := range args {
		if named, ok := a.(sql.NamedArg); ok {
			out[i].Name, a = named.Name, named.Value
		}
		if err := out[i].set(a); err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
	}
	return out, nil
}

func (a *Arg) set(v any) error {
	switch v := v.(type) {
	case nil:
		a.Type = "null"
	case bool:
		a.Type, a.Value = "bool", strconv.FormatBool(v)
	case int:
		a.Type, a.Value = "int64", strconv.Itoa(v)
	case int64:
		a.Type, a.Value = "int64", strconv.FormatInt(v, 10)
	case uint64:
		a.Type, a.Value = "uint64", strconv.FormatUint(v, 10)
	case float32:
		a.Type, a.Value = "float32", strconv.FormatUint(uint64(math.Float32bits(v)), 16)
	case float64:
		a.Type, a.Value = "float64", strconv.FormatUint(math.Float64bits(v), 16)
	case string:
		a.Type, a.Bytes = "string", []byte(v) // JSON would change what is no UTF-8
	case []byte:
		if a.Type, a.Bytes = "bytes", v; v == nil {
			a.Type = "null"
		}
	case time.Time: // the moment alone counts: RFC 3339 has no seconds of a zone's distance
		a.Type, a.Value = "time", strconv.FormatInt(v.Unix(), 10)+"."+strconv.Itoa(v.Nanosecond())
	case []int64:
		return setList(a, "int64", v)
	case []float32:
		return setList(a, "float32", v)
	case []float64:
		return setList(a, "float64", v)
	case []string:
		return setList(a, "string", v)
	default:
		return fmt.Errorf("a %T does not travel to other machines; numbers, texts, bytes, times, NULL and slices of int64, float32, float64 and string do: %w", v, parquetsql.ErrUnsupported)
	}
	return nil
}

func setList[T any](a *Arg, element string, list []T) error {
	if list == nil {
		a.Type = "null"
		return nil
	}
	a.Type, a.Value, a.Items = "list", element, make([]Arg, len(list))
	for i, v := range list {
		if err := a.Items[i].set(v); err != nil {
			return err
		}
	}
	return nil
}

func (a *Arg) list() (any, error) {
	switch a.Value {
	case "int64":
		return listOf[int64](a.Items)
	case "float32":
		return listOf[float32](a.Items)
	case "float64":
		return listOf[float64](a.Items)
	case "string":
		return listOf[string](a.Items)
	}
	return nil, fmt.Errorf("there is no list of %q", a.Value)
}

func listOf[T any](items []Arg) (any, error) {
	out := make([]T, len(items))
	for i := range items {
		v, err := items[i].get()
		if err != nil {
			return nil, err
		}
		of, ok := v.(T)
		if !ok {
			return nil, fmt.Errorf("a %s in a list of %T", items[i].Type, of)
		}
		out[i] = of
	}
	return out, nil
}

// values are the arguments for a statement.
func values(args []Arg) ([]any, error) {
	out := make([]any, len(args))
	for i, a := range args {
		v, err := a.get()
		if err != nil {
			return nil, fmt.Errorf("argument %d of a fragment: %w", i+1, err)
		}
		if out[i] = v; a.Name != "" {
			out[i] = sql.Named(a.Name, v)
		}
	}
	return out, nil
}

func (a *Arg) get() (any, error) {
	switch a.Type {
	case "null":
		return nil, nil
	case "bool":
		return strconv.ParseBool(a.Value)
	case "int64":
		return strconv.ParseInt(a.Value, 10, 64)
	case "uint64":
		return strconv.ParseUint(a.Value, 10, 64)
	case "list":
		return a.list()
	case "float32":
		bits, err := strconv.ParseUint(a.Value, 16, 32)
		return math.Float32frombits(uint32(bits)), err
	case "float64":
		bits, err := strconv.ParseUint(a.Value, 16, 64)
		return math.Float64frombits(bits), err
	case "string":
		return string(a.Bytes), nil
	case "bytes":
		if a.Bytes == nil { // no bytes, which are no NULL
			return []byte{}, nil
		}
		return a.Bytes, nil
	case "time":
		seconds, nanos, _ := strings.Cut(a.Value, ".")
		s, err := strconv.ParseInt(seconds, 10, 64)
		n, err2 := strconv.ParseInt(nanos, 10, 64)
		return time.Unix(s, n).UTC(), errors.Join(err, err2)
	}
	return nil, fmt.Errorf("there is no type %q", a.Type)
}

// Marshal is a fragment as JSON.
func (f *Fragment) Marshal() ([]byte, error) { return json.Marshal(f) }

// Unmarshal reads a fragment. One of another version of the format is an error.
func Unmarshal(data []byte) (*Fragment, error) {
	f := &Fragment{}
	if err := json.Unmarshal(data, f); err != nil {
		return nil, fmt.Errorf("a fragment: %w", err)
	}
	return f, f.check()
}
