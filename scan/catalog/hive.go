package catalog

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/vector"
)

// hiveNull is the folder value that stands for NULL.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

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
	return partition{unescape(key), unescape(value), value == hiveNull}, true
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
	values   []vector.Scalar
}

// partitionColumns returns the partition keys of a table's files, in the order in
// which they first occur. mode is the option hive_partitioning; auto means on if all
// files have the same keys in the same order, else off.
func partitionColumns(mode string, paths []string) []partitionColumn {
	if mode == "off" || len(paths) == 0 {
		return nil
	}
	of := make([][]partition, len(paths))
	var keys []string
	for i, p := range paths {
		of[i] = partitionsOf(p)
		if mode != "on" && i > 0 && !slices.EqualFunc(of[i], of[0], func(a, b partition) bool { return a.key == b.key }) {
			return nil
		}
		for _, p := range of[i] {
			if !slices.Contains(keys, p.key) {
				keys = append(keys, p.key)
			}
		}
	}
	out := make([]partitionColumn, len(keys))
	for k, key := range keys {
		values := make([]partition, len(paths))
		for i := range paths {
			values[i] = partition{null: true}
			if at := slices.IndexFunc(of[i], func(p partition) bool { return p.key == key }); at >= 0 {
				values[i] = of[i][at]
			}
		}
		out[k] = typedPartition(key, values)
	}
	return out
}

// typedPartition gives the key the first type of BIGINT, DATE and VARCHAR that all its
// values can be parsed as.
func typedPartition(key string, values []partition) partitionColumn {
	out := partitionColumn{key: key, values: make([]vector.Scalar, len(values))}
	for _, kind := range []vector.Kind{vector.BigInt, vector.Date, vector.Varchar} {
		out.typ, out.nullable = vector.Of(kind), false
		fits := true
		for i, v := range values {
			if v.null {
				out.values[i], out.nullable = vector.NullOf(out.typ), true
				continue
			}
			if out.values[i], fits = partitionValue(kind, v.value); !fits {
				break
			}
		}
		if fits {
			break
		}
	}
	return out
}

func partitionValue(kind vector.Kind, text string) (vector.Scalar, bool) {
	s := vector.Scalar{Type: vector.Of(kind)}
	switch kind {
	case vector.BigInt:
		v, err := strconv.ParseInt(text, 10, 64)
		s.I64 = v
		return s, err == nil && text[0] != '+'
	case vector.Date:
		t, err := time.Parse(time.DateOnly, text)
		s.I64 = vector.DaysFromCivil(int64(t.Year()), int(t.Month()), t.Day())
		return s, err == nil
	}
	s.Str = text
	return s, true
}
