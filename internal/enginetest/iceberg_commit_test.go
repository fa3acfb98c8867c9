package enginetest

import (
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing/fstest"
	"time"
)

var modelSpecs = []string{`[]`, `[{"source-id": 2, "field-id": 1000, "name": "p", "transform": "identity"}]`}

// commit writes manifests and what names them.
func (m *icebergModel) commit() {
	var list []icebergList
	first := m.nextRow
	for spec, typ := range []string{"", "int"} {
		for _, group := range m.groups(spec) {
			var data []icebergFile
			added := int64(0)
			rowID := int64(-1)
			for _, f := range group {
				own := f.icebergFile
				if f.sequence < m.sequence || m.r.IntN(2) == 0 {
					own.sequence = f.sequence
				}
				if own.status = 1; f.sequence < m.sequence {
					own.status = 0
				} else {
					added++
				}
				if m.version == 3 {
					if f.rowID < 0 { // the next ones without are behind it
						if rowID < 0 {
							rowID = m.nextRow
						}
						f.rowID = m.nextRow
						m.nextRow += f.records
					} else {
						own.firstRow = f.rowID
					}
				}
				data = append(data, own)
			}
			if rowID < 0 && m.version == 3 {
				rowID = m.nextRow
			}
			if len(data) > 0 {
				file := icebergManifest(m.version, modelSpecs[spec], typ, false, data)
				list = append(list, icebergList{path: m.put("m", "avro", file), length: int64(len(file)), spec: int64(spec), sequence: m.sequence, added: added, existing: int64(len(data)) - added, rows: countsOf(data), firstRow: rowID, fields: m.summary(data)})
			}
		}
		deletes := slices.Clone(m.deletes[spec])
		for i, f := range m.pending {
			if m.specs[i] == spec {
				deletes = append(deletes, f)
				f.status, f.sequence = 0, m.sequence
				m.deletes[spec] = append(m.deletes[spec], f)
			}
		}
		if len(deletes) > 0 {
			file := icebergManifest(m.version, modelSpecs[spec], typ, true, deletes)
			list = append(list, icebergList{path: m.put("m", "avro", file), length: int64(len(file)), spec: int64(spec), content: 1, sequence: m.sequence, added: 1, existing: int64(len(deletes)), firstRow: -1})
		}
	}
	m.snapshot(list, first)
}

// countsOf are the rows of files that were added, and of those that were there.
func countsOf(list []icebergFile) *[2]int64 {
	out := &[2]int64{}
	for _, f := range list {
		switch f.status {
		case 1:
			out[0] += f.records
		case 0:
			out[1] += f.records
		}
	}
	return out
}

// snapshot writes the list of manifests and the metadata.
func (m *icebergModel) snapshot(list []icebergList, first int64) {
	m.snapshots = append(m.snapshots, map[string]any{
		"snapshot-id": 1000 + m.sequence, "sequence-number": m.sequence, "timestamp-ms": m.sequence * 1000, "summary": map[string]string{"operation": "overwrite"},
		"manifest-list": m.put("l", "avro", icebergManifestList(m.version, list)), "schema-id": map[bool]int{false: 0, true: 1}[m.added], "first-row-id": first, "added-rows": m.nextRow - first,
	})
	m.answers = append(m.answers, m.answer())
	field := func(id int, name, typ string) map[string]any {
		return map[string]any{"id": id, "name": name, "required": false, "type": typ}
	}
	old := []any{field(1, "id", "long"), field(2, "k", "int"), field(3, "s", "string")}
	x := field(4, "x", "int")
	x["initial-default"] = 7
	text, err := json.Marshal(map[string]any{
		"format-version": m.version, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": m.location, "last-sequence-number": m.sequence, "last-updated-ms": m.sequence * 1000, "last-column-id": 4,
		"schemas":           []any{map[string]any{"type": "struct", "schema-id": 0, "fields": old}, map[string]any{"type": "struct", "schema-id": 1, "fields": append(slices.Clip(old), x)}},
		"current-schema-id": map[bool]int{false: 0, true: 1}[m.added], "default-spec-id": 0, "last-partition-id": 1000, "sort-orders": []any{}, "next-row-id": m.nextRow,
		"partition-specs":     []any{map[string]any{"spec-id": 0, "fields": json.RawMessage(modelSpecs[0])}, map[string]any{"spec-id": 1, "fields": json.RawMessage(modelSpecs[1])}},
		"current-snapshot-id": 1000 + m.sequence, "snapshots": m.snapshots, "refs": map[string]any{"old": map[string]any{"snapshot-id": 1001, "type": "tag"}},
	})
	if err != nil {
		panic(err)
	}
	m.files[fmt.Sprintf("t/metadata/v%d.metadata.json", m.sequence)] = &fstest.MapFile{Data: text, ModTime: time.Unix(m.sequence, 0)}
	m.files["t/metadata/version-hint.text"] = &fstest.MapFile{Data: []byte(fmt.Sprint(m.sequence)), ModTime: time.Unix(m.sequence, 0)}
}

// answer is the rows of the table.
func (m *icebergModel) answer() string {
	var out []string
	for _, f := range m.data {
		for _, r := range f.live() {
			row := fmt.Sprintf("%d %d %s", r.id, r.k, r.s)
			if m.version == 3 {
				row += fmt.Sprintf(" %d %d", f.rowID+r.pos, f.sequence)
			}
			if m.added && f.hasX {
				row += fmt.Sprintf(" x%d", r.id%5)
			} else if m.added {
				row += " x7"
			}
			out = append(out, row)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// read is the rows of a snapshot, 0 for the current one, in the form of answer.
func (m *icebergModel) read(db *sql.DB, from, where string, x bool) (string, error) {
	query := "SELECT id || ' ' || k || ' ' || s"
	if m.version == 3 {
		query += " || ' ' || _row_id || ' ' || _last_updated_sequence_number"
	}
	if x {
		query += " || ' x' || x"
	}
	rows, err := db.Query(query + " FROM " + from + where)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return "", err
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return strings.Join(out, "\n"), rows.Err()
}

// groups are the data files of a spec as some manifests have them.
func (m *icebergModel) groups(spec int) (out [][]*modelFile) {
	for _, f := range m.data {
		if f.spec != spec {
			continue
		}
		if len(out) == 0 || m.r.IntN(3) == 0 {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], f)
	}
	return out
}

// summary is what a manifest list may say of the partitions of files.
func (m *icebergModel) summary(list []icebergFile) []icebergSummary {
	if list[0].partition == nil || m.r.IntN(4) == 0 {
		return nil
	}
	low, high := *list[0].partition, *list[0].partition
	for _, f := range list {
		low, high = min(low, *f.partition), max(high, *f.partition)
	}
	bound := func(n int64) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }
	return []icebergSummary{{lower: bound(low), upper: bound(high)}}
}
