// Package deltas writes Delta Lake tables: random ones, with what each of their versions has, and
// large logs. It knows the protocol on its own, and writes Parquet by parquet-go and deletion
// vectors by RoaringBitmap.
package deltas

import "encoding/json"

// Action is an action of a log, as JSON and as a row of a checkpoint.
type Action struct {
	Add        *Add        `json:"add,omitempty" parquet:"add,optional"`
	Remove     *Remove     `json:"remove,omitempty" parquet:"remove,optional"`
	MetaData   *MetaData   `json:"metaData,omitempty" parquet:"metaData,optional"`
	Protocol   *Protocol   `json:"protocol,omitempty" parquet:"protocol,optional"`
	Checkpoint *Checkpoint `json:"checkpointMetadata,omitempty" parquet:"checkpointMetadata,optional"`
	Sidecar    *Sidecar    `json:"sidecar,omitempty" parquet:"sidecar,optional"`
	Commit     *Commit     `json:"commitInfo,omitempty" parquet:"-"`
}

// Add adds a file.
type Add struct {
	Path       string             `json:"path" parquet:"path"`
	Partition  map[string]*string `json:"partitionValues" parquet:"partitionValues"`
	Size       int64              `json:"size" parquet:"size"`
	Modified   int64              `json:"modificationTime" parquet:"modificationTime"`
	DataChange bool               `json:"dataChange" parquet:"dataChange"`
	Stats      *string            `json:"stats,omitempty" parquet:"stats,optional"`
	Vector     *Vector            `json:"deletionVector,omitempty" parquet:"deletionVector,optional"`
}

// Remove removes a file.
type Remove struct {
	Path       string  `json:"path" parquet:"path"`
	Deleted    int64   `json:"deletionTimestamp" parquet:"deletionTimestamp"`
	DataChange bool    `json:"dataChange" parquet:"dataChange"`
	Vector     *Vector `json:"deletionVector,omitempty" parquet:"deletionVector,optional"`
}

// Vector is a deletion vector.
type Vector struct {
	Storage     string `json:"storageType" parquet:"storageType"`
	Path        string `json:"pathOrInlineDv" parquet:"pathOrInlineDv"`
	Offset      *int32 `json:"offset,omitempty" parquet:"offset,optional"`
	Size        int32  `json:"sizeInBytes" parquet:"sizeInBytes"`
	Cardinality int64  `json:"cardinality" parquet:"cardinality"`
}

// Protocol is what readers and writers must be able to do.
type Protocol struct {
	MinReader      int32    `json:"minReaderVersion" parquet:"minReaderVersion"`
	MinWriter      int32    `json:"minWriterVersion" parquet:"minWriterVersion"`
	ReaderFeatures []string `json:"readerFeatures,omitempty" parquet:"readerFeatures,list"`
	WriterFeatures []string `json:"writerFeatures,omitempty" parquet:"writerFeatures,list"`
}

// MetaData describes the table.
type MetaData struct {
	ID               string            `json:"id" parquet:"id"`
	Format           Format            `json:"format" parquet:"format"`
	Schema           string            `json:"schemaString" parquet:"schemaString"`
	PartitionColumns []string          `json:"partitionColumns" parquet:"partitionColumns,list"`
	Configuration    map[string]string `json:"configuration" parquet:"configuration"`
}

// Format is how data files are encoded.
type Format struct {
	Provider string            `json:"provider" parquet:"provider"`
	Options  map[string]string `json:"options" parquet:"options"`
}

// Checkpoint is in each V2 checkpoint.
type Checkpoint struct {
	Version int64 `json:"version" parquet:"version"`
}

// Sidecar is a file with a part of a checkpoint.
type Sidecar struct {
	Path     string `json:"path" parquet:"path"`
	Size     int64  `json:"sizeInBytes" parquet:"sizeInBytes"`
	Modified int64  `json:"modificationTime" parquet:"modificationTime"`
}

// Commit is what a commit says of itself.
type Commit struct {
	Timestamp int64  `json:"timestamp"`
	InCommit  int64  `json:"inCommitTimestamp,omitempty"`
	Operation string `json:"operation"`
}

// field is a column of a schema.
type field struct {
	Name     string         `json:"name"`
	Type     any            `json:"type"`
	Nullable bool           `json:"nullable"`
	Metadata map[string]any `json:"metadata"`
}

func schemaText(fields []field) string {
	text, err := json.Marshal(map[string]any{"type": "struct", "fields": fields})
	if err != nil {
		panic(err)
	}
	return string(text)
}
