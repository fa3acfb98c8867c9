package mutant

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// encodings of columns that the key "geo" knows, and others (GeoParquet 1.1).
var encodings = []string{"WKB", "WKB", "point", "linestring", "multipoint", "polygon", "multilinestring", "multipolygon", "wkt", ""}

// damageKeyValues damages what the file says under the keys "geo" and "ARROW:schema" and
// others, and says "geo" of columns that hold something else.
func (l *layout) damageKeyValues(r *rand.Rand) bool {
	pairs := l.footer.get(5)
	if pairs == nil {
		l.footer.fields = append(l.footer.fields, field{5, value{typ: typeList, element: typeStruct}})
		pairs = l.footer.get(5)
	}
	if len(pairs.list) > 0 && r.IntN(2) == 0 {
		pair := &pairs.list[r.IntN(len(pairs.list))]
		if v := pair.get(2); v != nil {
			v.bytes = damagedText(r, pair.text(1), v.bytes)
			return true
		}
	}
	pairs.list = slices.DeleteFunc(pairs.list, func(v value) bool { return v.text(1) == "geo" })
	text := []byte(l.claim(r))
	if r.IntN(3) == 0 {
		text = damagedText(r, "geo", text)
	}
	pairs.list = append(pairs.list, value{typ: typeStruct, fields: []field{
		{1, value{typ: typeBinary, bytes: []byte("geo")}}, {2, value{typ: typeBinary, bytes: text}},
	}})
	return true
}

// claim says that columns of the file are geometries.
func (l *layout) claim(r *rand.Rand) string {
	leaves := l.leaves()
	columns := map[string]any{}
	for _, of := range leaves {
		if r.IntN(2) == 0 && len(leaves) > 1 {
			continue
		}
		c := map[string]any{"encoding": encodings[r.IntN(len(encodings))], "geometry_types": []string{}}
		if r.IntN(3) == 0 {
			c["edges"] = []string{"planar", "spherical", "KARNEY", "x"}[r.IntN(4)]
		}
		if r.IntN(3) == 0 {
			c["crs"] = []any{nil, "EPSG:3857", map[string]any{"id": map[string]any{"authority": "EPSG", "code": r.IntN(40000)}}, 7}[r.IntN(4)]
		}
		if r.IntN(3) == 0 {
			box := map[string]any{}
			for _, side := range []string{"xmin", "ymin", "xmax", "ymax"} {
				other := leaves[r.IntN(len(leaves))]
				box[side] = []string{other.root, other.name}
				if other.root == other.name {
					box[side] = []string{other.root}
				}
			}
			c["covering"] = map[string]any{"bbox": box}
		}
		columns[of.root] = c
	}
	text, err := json.Marshal(map[string]any{"version": "1.1.0", "primary_column": "g", "columns": columns})
	if err != nil {
		panic(err) // of texts and numbers
	}
	return string(text)
}

// damagedText damages the value of a key: JSON by its tree, base64 within.
func damagedText(r *rand.Rand, key string, text []byte) []byte {
	if r.IntN(4) == 0 {
		return Some(r, text)
	}
	if key == "ARROW:schema" {
		plain, err := base64.StdEncoding.DecodeString(string(text))
		if err == nil && len(plain) >= 8 {
			for range 1 + r.IntN(3) { // offsets and lengths of flatbuffers have four bytes
				binary.LittleEndian.PutUint32(plain[r.IntN(len(plain)/4)*4:], uint32(number(r, int64(len(plain)), []*value{{}})))
			}
			return []byte(base64.StdEncoding.EncodeToString(plain))
		}
	}
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return Some(r, text)
	}
	if r.IntN(20) == 0 {
		n := []int{100, 9999, 10001, 200_000}[r.IntN(4)]
		return []byte(strings.Repeat(`{"columns":[`, n) + strings.Repeat("]}", n))
	}
	for range 1 + r.IntN(2) {
		nodes := 0
		visit(tree, func(v any) any { nodes++; return v })
		chosen := r.IntN(nodes)
		tree = visit(tree, func(v any) any {
			if chosen--; chosen != -1 {
				return v
			}
			others := []any{nil, true, 1e300, -1, "", "WKB", "point", "\x00", []any{}, []any{v}, map[string]any{}, map[string]any{"bbox": v}, tree}
			return others[r.IntN(len(others))]
		})
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return Some(r, text)
	}
	return out
}

// visit replaces the nodes of a JSON value, those within first.
func visit(tree any, replace func(any) any) any {
	switch v := tree.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = visit(v[i], replace)
		}
		tree = out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = visit(v[k], replace)
		}
		tree = out
	}
	return replace(tree)
}
