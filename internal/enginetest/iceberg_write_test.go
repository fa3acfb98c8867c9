package enginetest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
)

// What a writer of Iceberg tables needs, after format/spec.md and puffin-spec.md of apache/iceberg and
// the specification of Avro; nothing of it is shared with what reads them.

// avroFile is an object container file of one block.
func avroFile(schema string, metadata map[string]string, records ...[]byte) []byte {
	out := []byte("Obj\x01")
	metadata["avro.schema"], metadata["avro.codec"] = schema, "null"
	out = avroLong(out, int64(len(metadata)))
	for key, value := range metadata {
		out = avroText(avroText(out, key), value)
	}
	out = append(out, 0)
	const mark = "0123456789abcdef"
	out = append(out, mark...)
	block := slices.Concat(records...)
	out = avroLong(avroLong(out, int64(len(records))), int64(len(block)))
	return append(append(out, block...), mark...)
}

func avroLong(to []byte, n int64) []byte { return binary.AppendVarint(to, n) }

func avroText(to []byte, s string) []byte { return append(avroLong(to, int64(len(s))), s...) }

// avroOptional is a long in a union with null; negative: null.
func avroOptional(to []byte, n int64) []byte {
	if n < 0 {
		return append(to, 0)
	}
	return avroLong(append(to, 2), n)
}

// icebergFile is a file of a manifest.
type icebergFile struct {
	status, content     int64
	path, format        string
	partition           *int64 // nil: unpartitioned
	records, size       int64
	sequence            int64 // -1: inherited
	lower, upper        int64 // of field 1
	equality            []int64
	firstRow            int64  // -1: inherited, or none
	referenced          string // "": none
	offset, contentSize int64  // -1: none
}

const entrySchema = `{"type": "record", "name": "manifest_entry", "fields": [
	{"name": "status", "type": "int", "field-id": 0}, {"name": "snapshot_id", "type": ["null", "long"], "field-id": 1},
	{"name": "sequence_number", "type": ["null", "long"], "field-id": 3}, {"name": "file_sequence_number", "type": ["null", "long"], "field-id": 4},
	{"name": "data_file", "field-id": 2, "type": {"type": "record", "name": "r2", "fields": [
		{"name": "content", "type": "int", "field-id": 134}, {"name": "file_path", "type": "string", "field-id": 100}, {"name": "file_format", "type": "string", "field-id": 101},
		{"name": "partition", "field-id": 102, "type": {"type": "record", "name": "r102", "fields": [%s]}},
		{"name": "record_count", "type": "long", "field-id": 103}, {"name": "file_size_in_bytes", "type": "long", "field-id": 104},
		{"name": "lower_bounds", "field-id": 125, "type": ["null", {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k126_v127", "fields": [
			{"name": "key", "type": "int", "field-id": 126}, {"name": "value", "type": "bytes", "field-id": 127}]}}]},
		{"name": "upper_bounds", "field-id": 128, "type": ["null", {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "k129_v130", "fields": [
			{"name": "key", "type": "int", "field-id": 129}, {"name": "value", "type": "bytes", "field-id": 130}]}}]},
		{"name": "equality_ids", "field-id": 135, "type": ["null", {"type": "array", "items": "int", "element-id": 136}]},
		{"name": "first_row_id", "type": ["null", "long"], "field-id": 142}, {"name": "referenced_data_file", "type": ["null", "string"], "field-id": 143},
		{"name": "content_offset", "type": ["null", "long"], "field-id": 144}, {"name": "content_size_in_bytes", "type": ["null", "long"], "field-id": 145}]}}]}`

// icebergManifest is a manifest of files of one spec, whose only field, if it has one, is of the
// given type.
func icebergManifest(version int, spec, partitionType string, deletes bool, files []icebergFile) []byte {
	field := ""
	if partitionType != "" {
		field = fmt.Sprintf(`{"name": "p", "type": ["null", %q], "field-id": 1000}`, partitionType)
	}
	content := map[bool]string{true: "deletes", false: "data"}[deletes]
	var records [][]byte
	for _, f := range files {
		r := avroOptional(avroOptional(avroOptional(avroLong(nil, f.status), -1), f.sequence), f.sequence)
		r = avroText(avroText(avroLong(r, f.content), f.path), f.format)
		if partitionType != "" {
			r = avroLong(append(r, 2), *f.partition)
		}
		r = avroLong(avroLong(r, f.records), f.size)
		for _, bound := range []int64{f.lower, f.upper} {
			if f.content == 1 {
				r = append(r, 0)
				continue
			}
			r = avroLong(avroLong(append(r, 2), 1), 1) // one pair, of field 1
			r = append(avroText(r, string(binary.LittleEndian.AppendUint64(nil, uint64(bound)))), 0)
		}
		if f.equality == nil {
			r = append(r, 0)
		} else {
			r = avroLong(append(r, 2), int64(len(f.equality)))
			for _, id := range f.equality {
				r = avroLong(r, id)
			}
			r = append(r, 0)
		}
		r = avroOptional(r, f.firstRow)
		if f.referenced == "" {
			r = append(r, 0)
		} else {
			r = avroText(append(r, 2), f.referenced)
		}
		records = append(records, avroOptional(avroOptional(r, f.offset), f.contentSize))
	}
	return avroFile(fmt.Sprintf(entrySchema, field), map[string]string{
		"schema": "{}", "partition-spec": spec, "partition-spec-id": "0", "format-version": fmt.Sprint(version), "content": content,
	}, records...)
}

// icebergList is an entry of a manifest list.
type icebergList struct {
	path                      string
	length, spec, content     int64
	sequence, added, existing int64
	rows                      *[2]int64 // of the files that were added, and of the others; nil: it is not said
	firstRow                  int64     // -1: none
	fields                    []icebergSummary
}

// icebergSummary is what the files of a manifest have as a partition value.
type icebergSummary struct {
	null         bool
	lower, upper []byte // nil: none
}

func icebergManifestList(version int, list []icebergList) []byte {
	var fields []string
	for _, f := range []struct {
		name string
		typ  string
		id   int
	}{
		{"manifest_path", `"string"`, 500}, {"manifest_length", `"long"`, 501}, {"partition_spec_id", `"int"`, 502}, {"content", `"int"`, 517}, {"sequence_number", `"long"`, 515},
		{"min_sequence_number", `"long"`, 516}, {"added_snapshot_id", `"long"`, 503}, {"added_files_count", `"int"`, 504}, {"existing_files_count", `"int"`, 505}, {"deleted_files_count", `"int"`, 506},
		{"added_rows_count", `["null", "long"]`, 512}, {"existing_rows_count", `["null", "long"]`, 513}, {"first_row_id", `["null", "long"]`, 520},
		{"partitions", `["null", {"type": "array", "element-id": 508, "items": {"type": "record", "name": "r508", "fields": [{"name": "contains_null", "type": "boolean", "field-id": 509},
			{"name": "lower_bound", "type": ["null", "bytes"], "field-id": 510}, {"name": "upper_bound", "type": ["null", "bytes"], "field-id": 511}]}}]`, 507},
	} {
		fields = append(fields, fmt.Sprintf(`{"name": %q, "type": %s, "field-id": %d}`, f.name, f.typ, f.id))
	}
	var records [][]byte
	for _, m := range list {
		r := avroText(nil, m.path)
		for _, n := range []int64{m.length, m.spec, m.content, m.sequence, 0, m.sequence, m.added, m.existing, 0} {
			r = avroLong(r, n)
		}
		rows := [2]int64{-1, -1}
		if m.rows != nil {
			rows = *m.rows
		}
		r = avroOptional(avroOptional(avroOptional(r, rows[0]), rows[1]), m.firstRow)
		if m.fields == nil {
			records = append(records, append(r, 0))
			continue
		}
		r = avroLong(append(r, 2), int64(len(m.fields)))
		for _, s := range m.fields {
			r = append(r, map[bool]byte{true: 1}[s.null])
			for _, bound := range [][]byte{s.lower, s.upper} {
				if bound == nil {
					r = append(r, 0)
				} else {
					r = avroText(append(r, 2), string(bound))
				}
			}
		}
		records = append(records, append(r, 0))
	}
	return avroFile(`{"type": "record", "name": "manifest_file", "fields": [`+strings.Join(fields, ", ")+`]}`, map[string]string{"format-version": fmt.Sprint(version)}, records...)
}

// vectorBlob is a deletion-vector-v1 of ascending positions below 2^32, at most 4,096 in each 65,536.
func vectorBlob(positions []int64) []byte {
	var keys []int64
	parts := map[int64][]byte{}
	for _, p := range positions {
		if len(keys) == 0 || keys[len(keys)-1] != p>>16 {
			keys = append(keys, p>>16)
		}
		parts[p>>16] = binary.LittleEndian.AppendUint16(parts[p>>16], uint16(p))
	}
	v := []byte{0xd1, 0xd3, 0x39, 0x64}
	v = binary.LittleEndian.AppendUint64(v, 1)     // bitmaps
	v = binary.LittleEndian.AppendUint32(v, 0)     // the high bits of the first
	v = binary.LittleEndian.AppendUint32(v, 12346) // no runs
	v = binary.LittleEndian.AppendUint32(v, uint32(len(keys)))
	for _, k := range keys {
		v = binary.LittleEndian.AppendUint16(v, uint16(k))
		v = binary.LittleEndian.AppendUint16(v, uint16(len(parts[k])/2-1))
	}
	at := 8 + 8*len(keys)
	for _, k := range keys { // where the containers are
		v = binary.LittleEndian.AppendUint32(v, uint32(at))
		at += len(parts[k])
	}
	for _, k := range keys {
		v = append(v, parts[k]...)
	}
	out := binary.BigEndian.AppendUint32(nil, uint32(len(v)))
	return binary.BigEndian.AppendUint32(append(out, v...), crc32.ChecksumIEEE(v))
}

// puffinFile is a Puffin file of one blob, which begins at byte 4.
func puffinFile(blob []byte, of string, cardinality int) []byte {
	payload, err := json.Marshal(map[string]any{"blobs": []map[string]any{{
		"type": "deletion-vector-v1", "fields": []int{2147483545}, "snapshot-id": -1, "sequence-number": -1, "offset": 4, "length": len(blob),
		"properties": map[string]string{"referenced-data-file": of, "cardinality": fmt.Sprint(cardinality)},
	}}})
	if err != nil {
		panic(err)
	}
	out := append([]byte("PFA1"), blob...)
	out = append(append(out, "PFA1"...), payload...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(payload)))
	return append(append(out, 0, 0, 0, 0), "PFA1"...)
}
