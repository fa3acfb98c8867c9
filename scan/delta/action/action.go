// Package action reads the actions of a Delta Lake log (PROTOCOL.md, "Actions") out of the files
// that have them: JSON, one action a line, and Parquet, one a row.
//
// Only what reading a table needs is read: the protocol, the metadata, files that are added and
// removed, sidecars of checkpoints, and what a commit says of itself. Other actions, and fields
// that are not listed here, are passed, as the specification demands of readers.
package action

import (
	"net/url"
	"strconv"
	"strings"
)

// Protocol says what a reader and a writer must be able to do ("Protocol Evolution").
type Protocol struct {
	MinReader, MinWriter           int64
	ReaderFeatures, WriterFeatures []string // nil where the action has no list
}

// Metadata describes the table ("Change Metadata").
type Metadata struct {
	ID, Name, Description string
	Provider              string // how data files are encoded: parquet
	Schema                string // JSON, see "Schema Serialization Format"
	PartitionColumns      []string
	Configuration         map[string]string
	CreatedTime           int64 // milliseconds since 1970; 0 where it is absent
}

// File is a data file of the table ("Add File and Remove File"). It is immutable.
type File struct {
	Path      string     // decoded; relative to the table's folder, or absolute
	Size      int64      // bytes
	Modified  int64      // milliseconds since 1970
	Partition *Partition // never nil; files with the same values share it
	Stats     string     // JSON, see "Per-file Statistics"; empty where there are none
	Deletion  *Deletion  // nil: no row is deleted
}

// Key says which logical file f is: its path and what is deleted of it.
func (f *File) Key() string { return key(f.Path, f.Deletion) }

// Remove takes a logical file out of the table; Key is that of the File.
type Remove struct{ Key string }

// key is different for each pair of a path and a deletion vector. No path has a zero byte.
func key(path string, d *Deletion) string {
	if d == nil {
		return path
	}
	return path + "\x00" + d.ID()
}

// Deletion is where the deletion vector of a file is ("Deletion Vector Descriptor Schema").
type Deletion struct {
	Storage      string // "u": a file below the table's folder; "p": a file; "i": in the log itself
	PathOrInline string
	Offset       int64 // in the file; -1 where it is absent
	Size         int64 // bytes of the vector
	Rows         int64 // how many it deletes
}

// ID is different for each deletion vector of a file ("Derived Fields").
func (d *Deletion) ID() string {
	if d.Offset < 0 {
		return d.Storage + d.PathOrInline
	}
	return d.Storage + d.PathOrInline + "@" + strconv.FormatInt(d.Offset, 10)
}

// Partition is the values of a file's partition columns, as texts, by physical name.
type Partition struct {
	Names  []string
	Values []Value
}

// Value is a text or NULL. An empty text is NULL, too ("Partition Value Serialization").
type Value struct {
	Text string
	Null bool
}

// Find is the value of a column; false if the file does not have it.
func (p *Partition) Find(name string) (Value, bool) {
	for i, n := range p.Names {
		if n == name {
			return p.Values[i], true
		}
	}
	return Value{Null: true}, false
}

// Sidecar is a file with a part of a checkpoint ("Sidecar File Information").
type Sidecar struct {
	Path string // decoded; mostly the name alone
	Size int64
}

// Commit is what a commit says of itself ("Commit Provenance Information"). Writers are free to
// say anything.
type Commit struct {
	Timestamp  int64 // milliseconds since 1970; 0 where it is absent
	InCommit   int64 // "In-Commit Timestamps"; 0 where it is absent
	Operation  string
	Parameters string // JSON
	Metrics    string // JSON
	Engine     string
	User       string
}

// Sink gets actions, those of JSON in the order of the file. Each is the sink's own.
type Sink interface {
	Protocol(Protocol) error
	Metadata(Metadata) error
	Add(...File) error
	Remove(Remove) error
	Sidecar(Sidecar) error
	Commit(Commit) error
}

// DecodePath decodes a path of the log, which is a URI, and writes the file system's own scheme
// in one way: "file:/a", "file:///a" and "/a" are the same file. A text with a % that is no
// escape stays as it is.
func DecodePath(uri string) string {
	path := uri
	if strings.IndexByte(uri, '%') >= 0 {
		if decoded, err := url.PathUnescape(uri); err == nil {
			path = decoded
		}
	}
	if rest, ok := strings.CutPrefix(path, "file:"); ok {
		for strings.HasPrefix(rest, "//") {
			rest = rest[1:]
		}
		return rest
	}
	return path
}
