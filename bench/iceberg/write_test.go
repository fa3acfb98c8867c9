package iceberg

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/iceberg-go"
	iceio "github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
)

// folder is the catalog of one table: its metadata files have numbers.
type folder struct {
	dir     string
	meta    table.Metadata
	version int
}

func local(context.Context) (iceio.IO, error) { return iceio.LocalFS{}, nil }

func (f *folder) file() string {
	return filepath.Join(f.dir, "metadata", fmt.Sprintf("v%d.metadata.json", f.version))
}

// LoadTable implements table.CatalogIO.
func (f *folder) LoadTable(context.Context, table.Identifier) (*table.Table, error) {
	return table.New(table.Identifier{"t"}, f.meta, f.file(), local, f), nil
}

// CommitTable implements table.CatalogIO.
func (f *folder) CommitTable(_ context.Context, _ table.Identifier, _ []table.Requirement, updates []table.Update) (table.Metadata, string, error) {
	meta, err := table.UpdateTableMetadata(f.meta, updates, f.file())
	if err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(meta)
	if err != nil {
		return nil, "", err
	}
	f.meta = meta
	f.version++
	return meta, f.file(), os.WriteFile(f.file(), text, 0o600)
}

// row is a row of the model.
type row struct {
	id int64
	k  int32
	s  string
}

func (r row) String() string { return fmt.Sprintf("[%d %d %s]", r.id, r.k, r.s) }

// written is a table that iceberg-go writes, and what is in it.
type written struct {
	r      *rand.Rand
	of     *folder
	schema *arrow.Schema
	rows   []row
	next   int64
	steps  []string
	// rewrites says that files are written anew where rows are deleted. Then iceberg-go writes rows, too,
	// that equality deletes had deleted, so that such a table has none.
	rewrites bool
}

func newWritten(t *testing.T, r *rand.Rand) *written {
	dir := filepath.Join(t.TempDir(), "t")
	if err := os.MkdirAll(filepath.Join(dir, "metadata"), 0o755); err != nil {
		t.Fatal(err)
	}
	schema := iceberg.NewSchema(0,
		iceberg.NestedField{ID: 1, Name: "id", Type: iceberg.PrimitiveTypes.Int64},
		iceberg.NestedField{ID: 2, Name: "k", Type: iceberg.PrimitiveTypes.Int32},
		iceberg.NestedField{ID: 3, Name: "s", Type: iceberg.PrimitiveTypes.String})
	specs := []iceberg.PartitionSpec{
		*iceberg.UnpartitionedSpec,
		iceberg.NewPartitionSpecID(0, iceberg.PartitionField{SourceIDs: []int{2}, FieldID: 1000, Name: "p", Transform: iceberg.IdentityTransform{}}),
		iceberg.NewPartitionSpecID(0, iceberg.PartitionField{SourceIDs: []int{1}, FieldID: 1000, Name: "p", Transform: iceberg.BucketTransform{NumBuckets: 3}}),
		iceberg.NewPartitionSpecID(0, iceberg.PartitionField{SourceIDs: []int{3}, FieldID: 1000, Name: "p", Transform: iceberg.TruncateTransform{Width: 1}}),
	}
	rewrites := r.IntN(4) == 0
	meta, err := table.NewMetadata(schema, &specs[r.IntN(len(specs))], table.UnsortedSortOrder, filepath.ToSlash(dir), iceberg.Properties{
		table.PropertyFormatVersion: strconv.Itoa(2 + r.IntN(2)), table.WriteDeleteModeKey: map[bool]string{false: table.WriteModeMergeOnRead, true: table.WriteModeCopyOnWrite}[rewrites],
	})
	if err != nil {
		t.Fatal(err)
	}
	own, err := table.SchemaToArrowSchema(schema, nil, true, false)
	if err != nil {
		t.Fatal(err)
	}
	return &written{r: r, of: &folder{dir: dir, meta: meta}, schema: own, rewrites: rewrites}
}

func (w *written) table() *table.Table {
	t, _ := w.of.LoadTable(context.Background(), nil)
	return t
}

func (w *written) batch(rows []row, s *arrow.Schema) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, s)
	defer b.Release()
	for _, r := range rows {
		for i, f := range s.Fields() {
			switch f.Name {
			case "id":
				b.Field(i).(*array.Int64Builder).Append(r.id)
			case "k":
				b.Field(i).(*array.Int32Builder).Append(r.k)
			case "s":
				b.Field(i).(*array.StringBuilder).Append(r.s)
			}
		}
	}
	return b.NewRecordBatch()
}

func (w *written) append(ctx context.Context) error {
	var rows []row
	for range 1 + w.r.IntN(8) {
		w.next++
		id := w.next
		if w.r.IntN(3) == 0 {
			id = 1 + w.r.Int64N(w.next)
		}
		rows = append(rows, row{id, w.r.Int32N(3), string(rune('a' + w.r.IntN(3)))})
	}
	data, err := array.NewRecordReader(w.schema, []arrow.RecordBatch{w.batch(rows, w.schema)})
	if err != nil {
		return err
	}
	if _, err := w.table().Append(ctx, data, nil); err != nil {
		return err
	}
	w.rows = append(w.rows, rows...)
	w.steps = append(w.steps, fmt.Sprint("append ", rows))
	return nil
}

// remove deletes rows by a condition: by their positions, or by writing files anew.
func (w *written) remove(ctx context.Context) error {
	id, k := w.r.Int64N(w.next+1), w.r.Int32N(3)
	filter, gone := iceberg.BooleanExpression(iceberg.LessThan(iceberg.Reference("id"), id)), func(r row) bool { return r.id < id }
	switch w.r.IntN(3) {
	case 0:
		filter, gone = iceberg.EqualTo(iceberg.Reference("id"), id), func(r row) bool { return r.id == id }
	case 1:
		filter, gone = iceberg.NewAnd(filter, iceberg.EqualTo(iceberg.Reference("k"), k)), func(r row) bool { return r.id < id && r.k == k }
	}
	if _, err := w.table().Delete(ctx, filter, nil); err != nil {
		return err
	}
	w.rows = slices.DeleteFunc(w.rows, gone)
	w.steps = append(w.steps, fmt.Sprint("delete ", filter))
	return nil
}

// removeEqual deletes rows by their values. All columns are keys: what partitions are made of has to be there.
func (w *written) removeEqual(ctx context.Context) error {
	if w.rewrites {
		return w.remove(ctx)
	}
	keys := []row{{1 + w.r.Int64N(w.next+1), w.r.Int32N(3), string(rune('a' + w.r.IntN(3)))}}
	if len(w.rows) > 0 {
		keys = append(keys, w.rows[w.r.IntN(len(w.rows))])
	}
	tx := w.table().NewTransaction()
	files, err := tx.WriteEqualityDeletes(ctx, []int{1, 2, 3}, iter.Seq2[arrow.RecordBatch, error](func(yield func(arrow.RecordBatch, error) bool) {
		yield(w.batch(keys, w.schema), nil)
	}))
	if err != nil {
		return err
	}
	if err := tx.NewRowDelta(nil).AddDeletes(files...).Commit(ctx); err != nil {
		return err
	}
	if _, err := tx.Commit(ctx); err != nil {
		return err
	}
	w.rows = slices.DeleteFunc(w.rows, func(r row) bool { return slices.Contains(keys, r) })
	w.steps = append(w.steps, fmt.Sprint("equal ", keys))
	return nil
}

// TestWritten reads random tables that iceberg-go writes, with deletes of all kinds, and compares each
// snapshot with the rows in memory.
func TestWritten(t *testing.T) {
	snapshots := 60
	if n, err := strconv.Atoi(os.Getenv("PARQUETSQL_ICEBERG_SNAPSHOTS")); err == nil {
		snapshots = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("PARQUETSQL_ICEBERG_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("%d snapshots, seed %d", snapshots, seed)
	r := rand.New(rand.NewPCG(seed, 40))
	refused := 0
	for n := 0; n < snapshots; {
		w := newWritten(t, r)
		for range 12 {
			step := w.append
			if w.next > 0 {
				step = []func(context.Context) error{w.append, w.append, w.remove, w.removeEqual}[r.IntN(4)]
			}
			if err := step(t.Context()); err != nil {
				refused++
				t.Logf("iceberg-go: %.200v", err)
				break
			}
			n++
			own := open(t, w.of.dir)
			for _, where := range []string{"TRUE", "k = 1", "id <= 5", "s = 'b' AND k < 2"} {
				var want []string
				for _, row := range w.rows {
					if where == "TRUE" || where == "k = 1" && row.k == 1 || where == "id <= 5" && row.id <= 5 || where == "s = 'b' AND k < 2" && row.s == "b" && row.k < 2 {
						want = append(want, row.String())
					}
				}
				slices.Sort(want)
				got, err := own.rows("SELECT id, k, s FROM t WHERE " + where)
				if err != nil || !slices.Equal(got, want) {
					theirs, err2 := read(t.Context(), w.table(), iceberg.AlwaysTrue{}, []string{"id", "k", "s"})
					t.Logf("steps %v\niceberg-go has %v: %v", w.steps, theirs, err2)
					t.Fatalf("seed %d, version %d of the format, snapshot %d, %s: %v\n%v\nwant\n%v", seed, w.of.meta.Version(), n, where, err, got, want)
				}
			}
			own.Close()
		}
	}
	if refused > snapshots/4 {
		t.Errorf("iceberg-go refused %d of its own steps", refused)
	}
}
