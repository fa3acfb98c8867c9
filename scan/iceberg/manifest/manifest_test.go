package manifest

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
)

const folder = "../../../testdata/iceberg/icebird/test/files/"

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(folder + name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestManifest compares a list and a manifest with the JSON that icebird has of them.
func TestManifest(t *testing.T) {
	list, err := ReadList(read(t, "snap-8656952484400131532-1-a85973e4-4009-4cba-875e-5278a2c6027d.avro"), nil)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	m := list[0]
	if m.Length != 7211 || m.Sequence != 1 || m.Snapshot != 8656952484400131532 || m.AddedFiles != 1 || m.AddedRows != 21 || m.ExistingFiles != 0 || m.Deletes || m.FirstRow != -1 || !strings.HasSuffix(m.Path, "-m0.avro") {
		t.Errorf("%+v", m)
	}
	files, _, err := Read(read(t, "a85973e4-4009-4cba-875e-5278a2c6027d-m0.avro"), m, map[int]*partition.Spec{0: {}}, nil)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	type pair struct {
		Key   int32
		Value int64
	}
	type bound struct {
		Key   int32
		Value []int
	}
	var want []struct {
		File struct {
			Sizes  []pair  `json:"column_sizes"`
			Values []pair  `json:"value_counts"`
			Nulls  []pair  `json:"null_value_counts"`
			Lower  []bound `json:"lower_bounds"`
			Upper  []bound `json:"upper_bounds"`
			Format string  `json:"file_format"`
			Path   string  `json:"file_path"`
			Size   int64   `json:"file_size_in_bytes"`
			Rows   int64   `json:"record_count"`
		} `json:"data_file"`
	}
	if err := json.Unmarshal(read(t, "a85973e4-4009-4cba-875e-5278a2c6027d-m0.json"), &want); err != nil {
		t.Fatal(err)
	}
	f, w := files[0], want[0].File
	if f.Path != w.Path || f.Size != w.Size || f.Records != w.Rows || f.Format != strings.ToLower(w.Format) || f.Sequence != 1 || f.Content != Data || len(f.Columns) != len(w.Sizes) {
		t.Errorf("%+v", f)
	}
	for i, p := range w.Sizes {
		c := f.Column(p.Key)
		if c == nil || c.Size != p.Value || c.Values != w.Values[i].Value || c.Nulls != w.Nulls[i].Value {
			t.Errorf("%+v", c)
		}
	}
	for list, of := range map[*[]bound]func(*Column) []byte{&w.Lower: func(c *Column) []byte { return c.Lower }, &w.Upper: func(c *Column) []byte { return c.Upper }} {
		for _, b := range *list {
			var bytesOf []byte
			for _, x := range b.Value {
				bytesOf = append(bytesOf, byte(x))
			}
			if got := of(f.Column(b.Key)); !bytes.Equal(got, bytesOf) {
				t.Errorf("column %d: %q, want %q", b.Key, got, bytesOf)
			}
		}
	}
	if f.Column(99) != nil {
		t.Error("a column that is not there")
	}
}

// TestNoPartition: a file of a partitioned table is refused where its entry has no partition: with NULL for
// its values, a predicate would leave it out.
func TestNoPartition(t *testing.T) {
	const name = "../../../testdata/iceberg/duckdb-iceberg/data/persistent/equality_deletes/warehouse/mydb/mytable_partitioned/metadata/ff275eec-b23b-435f-a6a5-1ab7ce1c8749-m0.avro"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m := &Manifest{Deletes: true, Spec: -1, FirstRow: -1, Snapshot: 1, Sequence: 1}
	if files, _, err := Read(data, m, nil, nil); err != nil || len(files) == 0 || len(files[0].Partition) != 1 {
		t.Fatal(files, err)
	}
	other := bytes.Replace(data, []byte(`"field-id":102`), []byte(`"field-id":982`), 1)
	if bytes.Equal(other, data) {
		t.Fatal("the schema has no field 102")
	}
	if files, _, err := Read(other, m, nil, nil); err == nil || !strings.Contains(err.Error(), "no partition") {
		t.Error(files, err)
	}
}

// FuzzManifest: any bytes are an error or files, as a list and as a manifest.
func FuzzManifest(f *testing.F) {
	err := filepath.WalkDir("../../../testdata/iceberg", func(p string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".avro") {
			data, err := os.ReadFile(p)
			f.Add(data)
			return err
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := quota.New(1 << 20)
		list, err := ReadList(data, b)
		for _, m := range list {
			if err == nil && m.Path == "" {
				t.Error("a manifest without a path")
			}
		}
		if err != nil && b.Used() != 0 {
			t.Errorf("%d bytes stay charged of what is not there", b.Used())
		}
		for _, m := range []*Manifest{Alone("x", 1), {Deletes: true, FirstRow: 1 << 62}} {
			b := quota.New(1 << 20)
			list, charged, err := Read(data, m, nil, b)
			if b.Used() != charged {
				t.Errorf("%d bytes stay charged, not %d: %v", b.Used(), charged, err)
			}
			for _, f := range list {
				if err == nil && (f.Path == "" || f.Records < 0 || f.Size < 0 || len(f.Partition) != len(f.Spec.Fields)) {
					t.Errorf("%+v", f)
				}
			}
		}
	})
}
