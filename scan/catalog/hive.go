package catalog

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// hiveNull is the folder value that stands for NULL; duckNull is DuckDB's.
const (
	hiveNull = "__HIVE_DEFAULT_PARTITION__"
	duckNull = "NULL"
)

// partition is one key=value folder on the way to a file.
type partition struct {
	key, value string
	null       bool
}

// splitPartition parses a folder's name. Key and value are URL-decoded once; one that
// does not decode stays as it is.
func splitPartition(folder string) (partition, bool) {
	key, value, ok := strings.Cut(folder, "=")
	if !ok || key == "" {
		return partition{}, false
	}
	return partition{unescape(key), unescape(value), value == hiveNull || strings.EqualFold(value, duckNull)}, true
}

func unescape(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

// partitionsOf returns the key=value folders of a path. If a key repeats, the last
// folder counts.
func partitionsOf(file string) []partition {
	if !strings.Contains(file, "=") {
		return nil
	}
	parts := strings.Split(file, "/")
	var out []partition
	for _, folder := range parts[:len(parts)-1] {
		p, ok := splitPartition(folder)
		if !ok {
			continue
		}
		if at := slices.IndexFunc(out, func(o partition) bool { return o.key == p.key }); at >= 0 {
			out[at] = p
			continue
		}
		out = append(out, p)
	}
	return out
}

// partitionColumn is a partition key with one value per file.
type partitionColumn struct {
	key      string
	typ      vector.Type
	nullable bool
	texts    []partition // as the folders' names have the values
	values   []vector.Scalar
	// unsure is why the type is not known: folders were not listed that may have values. A query
	// that names the column fails with it, and is planned again over all files.
	unsure error
}

// partitionColumns returns the partition keys of a table's files, in the order in
// which they first occur. mode is the option hive_partitioning; auto means on if all
// files have the same keys, in any order, else off.
func partitionColumns(mode string, paths []string) []partitionColumn {
	if mode == "off" || len(paths) == 0 {
		return nil
	}
	of, list := make([][]partition, len(paths)), make([]int, len(paths)) // list: the place in names
	var names [][][]string                                               // most files have the same keys
	known := map[string]int{}
	for i, p := range paths {
		of[i] = partitionsOf(p)
		var own [][]string
		var text []byte
		for _, p := range of[i] {
			own, text = append(own, []string{p.key}), strconv.AppendQuote(text, p.key)
		}
		at, ok := known[string(text)]
		if !ok {
			at, names = len(names), append(names, own)
			known[string(text)] = at
		}
		list[i] = at
	}
	spelled := newSpelling(names)
	var keys []string
	at := map[string]int{}
	for _, list := range spelled.keys {
		for _, key := range list {
			if _, known := at[key]; !known {
				at[key], keys = len(keys), append(keys, key)
			}
		}
	}
	values := make([][]partition, len(keys))
	for k := range keys {
		values[k] = make([]partition, len(paths))
		for i := range paths {
			values[k][i].null = true
		}
	}
	for i := range paths {
		if mode != "on" && len(of[i]) < len(keys) {
			return nil
		}
		for k, p := range of[i] {
			values[at[spelled.keys[list[i]][k]]][i] = p
		}
	}
	out := make([]partitionColumn, len(keys))
	for k, key := range keys {
		out[k] = typedPartition(spelled.shown[key], values[k], nil)
	}
	return out
}

// typedPartition gives the key the first type of BIGINT, DATE and VARCHAR whose texts all its
// values are, and others, which have no file here. Where there are none, it is VARCHAR.
func typedPartition(key string, values, others []partition) partitionColumn {
	out := partitionColumn{key: key, texts: values, values: make([]vector.Scalar, len(values))}
	kinds := []vector.Kind{vector.BigInt, vector.Date, vector.Varchar}
	real := func(p partition) bool { return !p.null }
	if !slices.ContainsFunc(values, real) && !slices.ContainsFunc(others, real) {
		kinds = kinds[2:]
	}
	for _, kind := range kinds {
		out.typ, out.nullable = vector.Of(kind), false
		fits := !slices.ContainsFunc(others, func(p partition) bool {
			_, ok := partitionValue(kind, p.value)
			return !p.null && !ok
		})
		for i, v := range values {
			if v.null {
				out.values[i], out.nullable = vector.NullOf(out.typ), true
				continue
			}
			ok := false
			if out.values[i], ok = partitionValue(kind, v.value); !ok {
				fits = false
				break
			}
		}
		if fits {
			break
		}
	}
	return out
}

// partitionValue is the value of a text; false if the value's text is another one: 01 is no
// number, because it would be the same as 1.
func partitionValue(kind vector.Kind, text string) (vector.Scalar, bool) {
	s := vector.Scalar{Type: vector.Of(kind)}
	switch kind {
	case vector.BigInt:
		v, err := strconv.ParseInt(text, 10, 64)
		s.I64 = v
		return s, err == nil && strconv.FormatInt(v, 10) == text
	case vector.Date:
		t, err := time.Parse(time.DateOnly, text)
		s.I64 = vector.DaysFromCivil(int64(t.Year()), int(t.Month()), t.Day())
		return s, err == nil && t.Format(time.DateOnly) == text
	}
	s.Str = text
	return s, true
}
