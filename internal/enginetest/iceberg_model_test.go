package enginetest

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
)

// modelRow is a row of a table in memory.
type modelRow struct {
	id, k  int64
	s      string
	pos    int64
	dead   bool // deleted
	byPath bool // by its position
}

// modelFile is a data file with its rows.
type modelFile struct {
	icebergFile
	spec     int
	sequence int64
	rowID    int64 // of the first row; -1: none
	hasX     bool  // it has the column that was added
	rows     []*modelRow
}

// icebergModel is an Iceberg table that is written step by step, and what is in it.
type icebergModel struct {
	r        *rand.Rand
	files    fstest.MapFS
	version  int
	location string
	data     []*modelFile
	deletes  map[int][]icebergFile // by spec
	pending  []icebergFile         // of the step
	specs    []int
	sequence int64
	nextRow  int64
	nextID   int64
	names    int
	added    bool // the column x, whose initial default is 7

	snapshots []map[string]any
	answers   []string
}

const modelHead = "wh://host/lake/t"

func newModel(r *rand.Rand) *icebergModel {
	return &icebergModel{r: r, files: fstest.MapFS{}, version: 2 + r.IntN(2), location: []string{modelHead, "/lake/t"}[r.IntN(2)], deletes: map[int][]icebergFile{}}
}

// put writes a file of the table and is its path in the metadata.
func (m *icebergModel) put(kind, ending string, data []byte) string {
	m.names++
	name := fmt.Sprintf("%s/%s%d.%s", map[bool]string{true: "metadata", false: "data"}[ending == "avro"], kind, m.names, ending)
	m.files["t/"+name] = &fstest.MapFile{Data: data, ModTime: time.Unix(int64(m.names), 0)}
	return m.location + "/" + name
}

func withID(c flat, id int64) flat {
	c.id = id
	return c
}

// append adds a file of some rows, whose partition is that of spec 1 or none.
func (m *icebergModel) append(rows []*modelRow, spec int) {
	f := &modelFile{spec: spec, sequence: m.sequence, rows: rows, hasX: m.added, rowID: -1}
	var ids, ks, ss, xs []any
	f.lower, f.upper = rows[0].id, rows[0].id
	for i, r := range rows {
		r.pos = int64(i)
		ids, ks, ss, xs = append(ids, r.id), append(ks, int32(r.k)), append(ss, r.s), append(xs, int32(r.id%5))
		f.lower, f.upper = min(f.lower, r.id), max(f.upper, r.id)
	}
	columns := []flat{withID(texts("other", ss...), 3), withID(longs("id", ids...), 1), withID(ints("k", ks...), 2)}
	if m.added {
		columns = append(columns, withID(ints("x", xs...), 4))
	}
	data := parquetOf(columns...)
	f.icebergFile = icebergFile{
		status: 1, path: m.put("d", "parquet", data), format: "PARQUET", records: int64(len(rows)), size: int64(len(data)), sequence: -1, lower: f.lower, upper: f.upper, firstRow: -1, offset: -1, contentSize: -1,
	}
	if spec == 1 {
		f.partition = &rows[0].k
	}
	m.data = append(m.data, f)
}

func (m *icebergModel) newRows(k int64) (out []*modelRow) {
	for range 1 + m.r.IntN(6) {
		m.nextID++
		id := m.nextID
		if m.r.IntN(4) == 0 {
			id = 1 + m.r.Int64N(m.nextID)
		}
		row := &modelRow{id: id, k: k, s: string(rune('a' + m.r.IntN(3)))}
		if k < 0 {
			row.k = m.r.Int64N(3)
		}
		out = append(out, row)
	}
	return out
}

func (m *icebergModel) appendSome() {
	for range 1 + m.r.IntN(3) {
		if spec := m.r.IntN(2); spec == 1 {
			m.append(m.newRows(m.r.Int64N(3)), 1)
		} else {
			m.append(m.newRows(-1), 0)
		}
	}
}

// live are the rows of a file that are not deleted.
func (f *modelFile) live() (out []*modelRow) {
	for _, r := range f.rows {
		if !r.dead {
			out = append(out, r)
		}
	}
	return out
}

// deletePositions deletes rows of files by their positions: in version 3 by vectors, which replace
// what was deleted by position before.
func (m *icebergModel) deletePositions() {
	if len(m.data) == 0 {
		return
	}
	first := m.data[m.r.IntN(len(m.data))]
	var paths, positions []any
	for _, f := range m.data {
		// One file, or all of a partition.
		if f != first && (m.version == 3 || m.r.IntN(2) == 0 || f.spec != first.spec || f.partition != nil && *f.partition != *first.partition) {
			continue
		}
		for _, r := range f.rows {
			if m.r.IntN(3) == 0 {
				r.dead, r.byPath = true, true
				paths, positions = append(paths, f.path), append(positions, r.pos)
			}
		}
	}
	if len(paths) == 0 {
		return
	}
	out := icebergFile{status: 1, content: 1, partition: first.partition, sequence: -1, firstRow: -1, offset: -1, contentSize: -1}
	if m.version == 2 {
		data := parquetOf(withID(texts("file_path", paths...), 2147483546), withID(longs("pos", positions...), 2147483545))
		out.path, out.format, out.records, out.size = m.put("p", "parquet", data), "PARQUET", int64(len(paths)), int64(len(data))
		if m.r.IntN(2) == 0 && !slices.ContainsFunc(paths, func(p any) bool { return p != paths[0] }) {
			out.referenced = paths[0].(string)
		}
	} else {
		var all []int64
		for _, r := range first.rows {
			if r.byPath {
				all = append(all, r.pos)
			}
		}
		for spec := range m.deletes { // a file has one vector
			m.deletes[spec] = slices.DeleteFunc(m.deletes[spec], func(o icebergFile) bool { return o.referenced == first.path })
		}
		blob := vectorBlob(all)
		data := puffinFile(blob, first.path, len(all))
		out.path, out.format, out.records, out.size = m.put("v", "puffin", data), "PUFFIN", int64(len(all)), int64(len(data))
		out.referenced, out.offset, out.contentSize = first.path, 4, int64(len(blob))
	}
	m.pending = append(m.pending, out)
	m.specs = append(m.specs, first.spec)
}

// deleteEqual deletes older rows by their values: in all files, or in those of a partition.
func (m *icebergModel) deleteEqual() {
	ids := [][]int64{{1}, {3}, {1, 3}, {3, 2}}[m.r.IntN(4)]
	spec, k := m.r.IntN(2), m.r.Int64N(3)
	type key struct {
		id, k int64
		s     string
	}
	var id, ks, ss []any
	keys := map[key]bool{}
	masked := func(r key) key {
		if !slices.Contains(ids, 1) {
			r.id = 0
		}
		if !slices.Contains(ids, 2) {
			r.k = 0
		}
		if !slices.Contains(ids, 3) {
			r.s = ""
		}
		return r
	}
	low, high := int64(1<<62), int64(0)
	for range 1 + m.r.IntN(3) {
		r := key{1 + m.r.Int64N(m.nextID+1), m.r.Int64N(3), string(rune('a' + m.r.IntN(4)))}
		low, high = min(low, r.id), max(high, r.id)
		id, ks, ss = append(id, r.id), append(ks, int32(r.k)), append(ss, r.s)
		keys[masked(r)] = true
	}
	data := parquetOf(withID(longs("a", id...), 1), withID(texts("b", ss...), 3), withID(ints("c", ks...), 2)) // more columns than are compared
	out := icebergFile{
		status: 1, content: 2, path: m.put("e", "parquet", data), format: "PARQUET", records: int64(len(id)), size: int64(len(data)), sequence: -1, equality: ids, lower: low, upper: high, firstRow: -1, offset: -1, contentSize: -1,
	}
	if spec == 1 {
		out.partition = &k
	}
	for _, f := range m.data {
		if f.sequence >= m.sequence || spec == 1 && (f.spec != 1 || *f.partition != k) {
			continue
		}
		for _, r := range f.rows {
			if keys[masked(key{r.id, r.k, r.s})] {
				r.dead = true
			}
		}
	}
	m.pending = append(m.pending, out)
	m.specs = append(m.specs, spec)
}

// compact writes the rows of a file anew.
func (m *icebergModel) compact() {
	if len(m.data) == 0 {
		return
	}
	at := m.r.IntN(len(m.data))
	f := m.data[at]
	if f.hasX != m.added {
		return
	}
	m.data = slices.Delete(m.data, at, at+1)
	for spec := range m.deletes {
		m.deletes[spec] = slices.DeleteFunc(m.deletes[spec], func(o icebergFile) bool { return o.format == "PUFFIN" && o.referenced == f.path })
	}
	var rows []*modelRow
	for _, r := range f.live() {
		rows = append(rows, &modelRow{id: r.id, k: r.k, s: r.s})
	}
	if len(rows) > 0 {
		m.append(rows, f.spec)
	}
}

// step makes a snapshot.
func (m *icebergModel) step() {
	m.sequence++
	m.pending, m.specs = nil, nil
	if m.version == 3 && !m.added && m.r.IntN(8) == 0 {
		m.added = true
	}
	switch m.r.IntN(7) {
	case 0, 1:
		m.appendSome()
	case 2:
		m.deletePositions()
	case 3:
		m.deleteEqual()
	case 4: // what an UPSERT does
		m.deleteEqual()
		m.appendSome()
	case 5: // rows may be deleted in the snapshot that adds them
		m.appendSome()
		m.deletePositions()
	default:
		m.compact()
	}
	m.commit()
}

// TestIcebergModel writes random tables of versions 2 and 3 with all kinds of deletes, two specs and
// a column that is added, and compares their snapshots with what is in memory.
func TestIcebergModel(t *testing.T) {
	snapshots := 1000
	if testing.Short() {
		snapshots = 300
	}
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_ICEBERG_SNAPSHOTS")); err == nil {
		snapshots = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("%d snapshots, seed %d", snapshots, seed)
	r := rand.New(rand.NewPCG(seed, 40))
	for n := 0; n < snapshots; {
		m := newModel(r)
		config := parquetsql.NewConfig()
		config.FS, config.Path, config.Parallelism = m.files, ".", 2
		for range 30 {
			m.step()
			n++
		}
		connector, err := parquetsql.NewConnector(config)
		if err != nil {
			t.Fatal(err)
		}
		db := sql.OpenDB(connector)
		for i, want := range m.answers {
			x := m.snapshots[i]["schema-id"] == 1
			from := fmt.Sprintf("t VERSION AS OF %d", 1001+i)
			if i == len(m.answers)-1 && r.IntN(2) == 0 {
				from = "t"
			}
			got, err := m.read(db, from, "", x)
			if err != nil || got != want {
				t.Fatalf("seed %d, version %d, %s: %v\n%s\nwant\n%s", seed, m.version, from, err, got, want)
			}
			count := 0
			if want != "" {
				count = strings.Count(want, "\n") + 1
			}
			if c := one[int](t, db, "SELECT COUNT(*) FROM "+from); c != count {
				t.Fatalf("seed %d, %s: COUNT(*) is %d, want %d", seed, from, c, count)
			}
			k := r.Int64N(3)
			some, err := m.read(db, from, fmt.Sprintf(" WHERE k = %d AND id <= %d", k, m.nextID/2), x)
			var part []string
			for row := range strings.SplitSeq(want, "\n") {
				var id, of int64
				if _, err := fmt.Sscan(row, &id, &of); err == nil && of == k && id <= m.nextID/2 {
					part = append(part, row)
				}
			}
			if err != nil || some != strings.Join(part, "\n") {
				t.Fatalf("seed %d, %s WHERE k = %d: %v\n%s\nwant\n%s", seed, from, k, err, some, strings.Join(part, "\n"))
			}
		}
		if got, err := m.read(db, "t VERSION AS OF 'old'", "", m.snapshots[0]["schema-id"] == 1); err != nil || got != m.answers[0] {
			t.Fatalf("seed %d: the tag: %v\n%s\nwant\n%s", seed, err, got, m.answers[0])
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
