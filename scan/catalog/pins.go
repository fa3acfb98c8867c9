package catalog

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/files"
	"github.com/parquetsql/parquetsql/storage"
)

// Pins are the files and versions that the planning of a statement has read, so that another process plans
// over the same ones: it leaves out files that were added since, and reads tables with a log as they were.
type Pins struct {
	// Files are hashes of the names of files, 8 bytes each, sorted; nil: there are none, or too many.
	Files    []byte          `json:"files,omitempty"`
	Versions []PinnedVersion `json:"versions,omitempty"`
}

// PinnedVersion is the number of a version, or of a snapshot, of a table.
type PinnedVersion struct {
	Table  string `json:"table"`
	Asked  string `json:"asked,omitempty"` // the version as the statement names it
	Number int64  `json:"number"`
}

// maxPinned is how many files are pinned by name. Who has more copies of Pins than he likes has fewer files.
const maxPinned = 4096

// pinning notes what is read, and has the pins of another process.
type pinning struct {
	mu       sync.Mutex
	names    map[uint64]bool
	versions []PinnedVersion
	of       *Pins // nil: there are none
}

// Pin makes the Snapshot that of pins, for the planning, before its first use. Unpin ends that: rows of
// system tables are of the moment when they are read.
func (s *Snapshot) Pin(p *Pins) {
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	s.pins.of = p
}

// Unpin ends Pin.
func (s *Snapshot) Unpin() { s.Pin(nil) }

// Pins are those of all that was read so far.
func (s *Snapshot) Pins() Pins {
	s.pins.mu.Lock()
	defer s.pins.mu.Unlock()
	out := Pins{Versions: slices.Clone(s.pins.versions)}
	if len(s.pins.names) > maxPinned {
		return out
	}
	var list []uint64
	for h := range s.pins.names {
		list = append(list, h)
	}
	slices.Sort(list)
	for _, h := range list {
		out.Files = binary.BigEndian.AppendUint64(out.Files, h)
	}
	return out
}

// hashOf is the hash of a file's name.
func hashOf(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// known are the entries of a table that may be read, and notes them.
func (p *pinning) known(table string, list []storage.Entry) ([]storage.Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != nil && len(p.of.Files) > 0 && len(list) > 0 {
		pinned := make(map[uint64]bool, len(p.of.Files)/8)
		for at := 0; at+8 <= len(p.of.Files); at += 8 {
			pinned[binary.BigEndian.Uint64(p.of.Files[at:])] = true
		}
		list = slices.DeleteFunc(slices.Clone(list), func(e storage.Entry) bool { return !pinned[hashOf(e.Name)] })
		if len(list) == 0 {
			return nil, &errs.ChangedError{File: table}
		}
	}
	if p.names == nil {
		p.names = map[uint64]bool{}
	}
	for _, e := range list {
		if len(p.names) <= maxPinned {
			p.names[hashOf(e.Name)] = true
		}
	}
	return list, nil
}

// version is a version of a table with a log. Where another process has read another one by the same words,
// it is that.
func (p *pinning) version(ctx context.Context, l lake, at version, read func(context.Context, version) (*files.Set, *int64, error)) (*files.Set, error) {
	table, asked := l.folder+"/"+l.file, at.String()
	set, number, err := read(ctx, at)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of != nil {
		for _, v := range p.of.Versions {
			if v.Table == table && v.Asked == asked && (err != nil || number == nil || *number != v.Number) {
				set, number, err = read(ctx, version{number: &v.Number})
			}
		}
	}
	if v := (PinnedVersion{Table: table, Asked: asked}); err == nil && number != nil {
		if v.Number = *number; !slices.Contains(p.versions, v) {
			p.versions = append(p.versions, v)
		}
	}
	return set, err
}

// String is the same for versions that are asked for by the same words.
func (v version) String() string {
	switch {
	case v.number != nil:
		return fmt.Sprintf("number %d", *v.number)
	case v.ref != "":
		return "reference " + v.ref
	case v.time != nil:
		return "time " + v.time.UTC().String()
	}
	return ""
}
