package action

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/storage"
)

// collected is a sink that keeps what it gets.
type collected struct {
	protocols []Protocol
	metadata  []Metadata
	files     []File
	removed   []Remove
	sidecars  []Sidecar
	commits   []Commit
}

func (c *collected) Protocol(p Protocol) error { c.protocols = append(c.protocols, p); return nil }
func (c *collected) Metadata(m Metadata) error { c.metadata = append(c.metadata, m); return nil }
func (c *collected) Add(f ...File) error       { c.files = append(c.files, f...); return nil }
func (c *collected) Remove(r Remove) error     { c.removed = append(c.removed, r); return nil }
func (c *collected) Sidecar(s Sidecar) error   { c.sidecars = append(c.sidecars, s); return nil }
func (c *collected) Commit(m Commit) error     { c.commits = append(c.commits, m); return nil }

// TestJSON has the specification's examples of actions, and what is beside them.
func TestJSON(t *testing.T) {
	const text = `{"metaData":{"id":"af23c9d7-fff1-4a5a-a2c8-55c59bd782aa","format":{"provider":"parquet","options":{}},"schemaString":"...","partitionColumns":[],"configuration":{"appendOnly":"true"}}}
{"add":{"path":"date=2017-12-10/part-000...c000.gz.parquet","partitionValues":{"date":"2017-12-10"},"size":841454,"modificationTime":1512909768000,"dataChange":true,"baseRowId":4071,"defaultRowCommitVersion":41,"clusteringProvider":"liquid","stats":"{\"numRecords\":1,\"minValues\":{\"val..."}}
{"remove":{"path":"part-00001-9.snappy.parquet","deletionTimestamp":1515488792485,"baseRowId":4071,"defaultRowCommitVersion":41,"dataChange":true}}
{"cdc":{"path":"_change_data/cdc-00001-c.snappy.parquet","partitionValues":{},"size":1213,"dataChange":false}}
{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["columnMapping"],"writerFeatures":["columnMapping","identityColumns"]}}
{"commitInfo":{"timestamp":1515491537026,"userId":"100121","userName":"michael@databricks.com","operation":"INSERT","operationParameters":{"mode":"Append","partitionBy":"[]"},"notebook":{"notebookId":"4443029"},"clusterId":"1027-202406-pooh991"}}
{"domainMetadata":{"domain":"delta.deltaTableFeatureX","configuration":"{\"key1\":\"value1\"}","removed":false}}
{"sidecar":{"path":"016ae953-37a9-438e-8683-9a9a4a79a395.parquet","sizeInBytes":2304522,"modificationTime":1512909768000,"tags":{}}}
{"checkpointMetadata":{"version":1,"tags":{}}}
{"add":null,"remove":{"path":"file:///a%20b/c","deletionVector":{"storageType":"u","pathOrInlineDv":"ab^-aqEH.-t@S}K{vb[*k^","offset":4,"sizeInBytes":40,"cardinality":6}}}
{"add":{"path":"x","partitionValues":{"date":null,"n":""},"size":1,"modificationTime":1,"dataChange":true,"stats":{"numRecords":2},"deletionVector":{"storageType":"i","pathOrInlineDv":"wi5b","sizeInBytes":40,"cardinality":6}}}
`
	var got collected
	if err := ReadJSON("log", text, &got, &Partitions{}); err != nil {
		t.Fatal(err)
	}
	want := collected{
		protocols: []Protocol{{3, 7, []string{"columnMapping"}, []string{"columnMapping", "identityColumns"}}},
		metadata:  []Metadata{{ID: "af23c9d7-fff1-4a5a-a2c8-55c59bd782aa", Provider: "parquet", Schema: "...", PartitionColumns: []string{}, Configuration: map[string]string{"appendOnly": "true"}}},
		files: []File{
			{Path: "date=2017-12-10/part-000...c000.gz.parquet", Size: 841454, Modified: 1512909768000, Partition: &Partition{[]string{"date"}, []Value{{Text: "2017-12-10"}}}, Stats: `{"numRecords":1,"minValues":{"val...`},
			{Path: "x", Size: 1, Modified: 1, Partition: &Partition{[]string{"date", "n"}, []Value{{Null: true}, {Null: true}}}, Stats: `{"numRecords":2}`, Deletion: &Deletion{"i", "wi5b", -1, 40, 6}},
		},
		removed:  []Remove{{"part-00001-9.snappy.parquet"}, {"/a b/c\x00uab^-aqEH.-t@S}K{vb[*k^@4"}},
		sidecars: []Sidecar{{"016ae953-37a9-438e-8683-9a9a4a79a395.parquet", 2304522}},
		commits:  []Commit{{Timestamp: 1515491537026, Operation: "INSERT", Parameters: `{"mode":"Append","partitionBy":"[]"}`, User: "michael@databricks.com"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got.files[1].Key() != "x\x00iwi5b" {
		t.Errorf("the key is %q", got.files[1].Key())
	}
}

// TestParsedStatistics: statistics that a checkpoint has as columns are those that the commits have
// as JSON.
func TestParsedStatistics(t *testing.T) {
	const log = "../../../testdata/delta/kernel-rs-data/v1-single-part-struct-stats-only/_delta_log/"
	stats := map[string]any{}
	commits, err := filepath.Glob(log + "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range commits {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var c collected
		if err := ReadJSON(name, string(text), &c, nil); err != nil {
			t.Fatal(err)
		}
		for _, f := range c.files {
			stats[f.Path] = parsed(t, f.Stats)
		}
	}
	data, err := os.ReadFile(log + "00000000000000000005.checkpoint.parquet")
	if err != nil {
		t.Fatal(err)
	}
	var c collected
	if err := ReadParquet(t.Context(), "checkpoint", bytes.NewReader(data), int64(len(data)), Options{Cost: storage.Local}, &c, nil); err != nil {
		t.Fatal(err)
	}
	if len(c.files) == 0 || len(c.protocols) != 1 || len(c.metadata) != 1 {
		t.Fatalf("%+v", c)
	}
	for _, f := range c.files {
		if got := parsed(t, f.Stats); !reflect.DeepEqual(got, stats[f.Path]) {
			t.Errorf("%s: %v, the commit has %v", f.Path, got, stats[f.Path])
		}
	}
}

func parsed(t *testing.T, text string) (out any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return out
}

// FuzzJSON: any text is actions or a CorruptError.
func FuzzJSON(f *testing.F) {
	f.Add(`{"add":{"path":"a","partitionValues":{"p":"1"},"size":1,"deletionVector":{"storageType":"u","pathOrInlineDv":"x","offset":1}}}`)
	f.Add(`{"protocol":{"minReaderVersion":3,"readerFeatures":["a"]}}{"metaData":{"format":{"provider":"parquet"},"configuration":{"a":1}}}`)
	f.Add(`{"commitInfo":{"timestamp":"x","operation":1,"operationParameters":[]}}{"sidecar":{"path":"%zz"}}{"remove":{"path":"a"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		var corrupt *errs.CorruptError
		if err := ReadJSON("log", text, &collected{}, &Partitions{}); err != nil && !errors.As(err, &corrupt) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

// FuzzParquet: any bytes are actions or an error.
func FuzzParquet(f *testing.F) {
	found, err := filepath.Glob("../../../testdata/delta/golden/*/delta/_delta_log/*.checkpoint.parquet")
	if err != nil || len(found) == 0 {
		f.Fatal(err)
	}
	for _, name := range found[:min(len(found), 4)] {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var bug *errs.PanicError
		if err := ReadParquet(context.Background(), "log", bytes.NewReader(data), int64(len(data)), Options{Cost: storage.Local}, &collected{}, &Partitions{}); errors.As(err, &bug) {
			t.Fatal(err)
		}
	})
}
