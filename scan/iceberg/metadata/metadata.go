package metadata

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/internal/bounded"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
	"github.com/parquetsql/parquetsql/scan/iceberg/schema"
)

// Table is what a metadata file says. It is immutable.
type Table struct {
	Version    int
	Location   string
	Properties map[string]string
	Schema     *schema.Schema         // the current one
	Schemas    map[int]*schema.Schema // by id
	Specs      map[int]*partition.Spec
	Current    *Snapshot   // nil: the table has no rows
	Snapshots  []*Snapshot // in the order of the file
	Refs       map[string]Ref
	Log        []Change           // of the current snapshot, the oldest first
	Names      map[int32][]string // of fields in files without ids; nil: there are none
	Updated    time.Time

	byID map[int64]*Snapshot
}

// Snapshot is the table at one time.
type Snapshot struct {
	ID           int64
	Parent       *int64
	Sequence     int64
	Time         time.Time
	ManifestList string
	Manifests    []string // instead of a list, in old tables
	Operation    string
	Summary      map[string]string
	SchemaID     *int
	KeyID        string // of the key that the manifest list is encrypted with
}

// Ref is a branch or a tag.
type Ref struct {
	Snapshot       int64
	Tag            bool
	MaxAge         *int64 // milliseconds that the reference lives; of a branch the snapshots behind it:
	MaxSnapshotAge *int64
	MinSnapshots   *int64
}

// Change says which snapshot was the current one from a time on.
type Change struct {
	Time     time.Time
	Snapshot int64
}

// newest is the greatest version of the format that is read.
const newest = 3

type tableJSON struct {
	Version    int               `json:"format-version"`
	Location   string            `json:"location"`
	Updated    int64             `json:"last-updated-ms"`
	Schema     *schema.Schema    `json:"schema"`
	Schemas    []*schema.Schema  `json:"schemas"`
	SchemaID   *int              `json:"current-schema-id"`
	Spec       *partition.Spec   `json:"partition-spec"`
	Specs      []*partition.Spec `json:"partition-specs"`
	Properties map[string]string `json:"properties"`
	Current    *int64            `json:"current-snapshot-id"`
	Snapshots  []snapshotJSON    `json:"snapshots"`
	Log        []struct {
		Time     int64 `json:"timestamp-ms"`
		Snapshot int64 `json:"snapshot-id"`
	} `json:"snapshot-log"`
	DefaultSpec   *int            `json:"default-spec-id"`
	LastPartition *int            `json:"last-partition-id"`
	SortOrders    json.RawMessage `json:"sort-orders"`
	Refs          map[string]struct {
		Snapshot       int64  `json:"snapshot-id"`
		Type           string `json:"type"`
		MaxAge         *int64 `json:"max-ref-age-ms"`
		MaxSnapshotAge *int64 `json:"max-snapshot-age-ms"`
		MinSnapshots   *int64 `json:"min-snapshots-to-keep"`
	} `json:"refs"`
}

type snapshotJSON struct {
	ID           int64             `json:"snapshot-id"`
	Parent       *int64            `json:"parent-snapshot-id"`
	Sequence     int64             `json:"sequence-number"`
	Time         int64             `json:"timestamp-ms"`
	ManifestList string            `json:"manifest-list"`
	Manifests    []string          `json:"manifests"`
	Summary      map[string]string `json:"summary"`
	SchemaID     *int              `json:"schema-id"`
	KeyID        string            `json:"key-id"`
}

// Parse reads a metadata file, which may be compressed. What it takes meanwhile is charged.
func Parse(data []byte, b *quota.Budget) (*Table, error) {
	text, charged, err := decompress(data, b)
	defer b.Release(charged)
	if err != nil {
		return nil, err
	}
	free, err := bounded.JSON(text, b)
	if err != nil {
		return nil, err
	}
	defer free()
	var in tableJSON
	var head struct {
		Version *int   `json:"format-version"`
		View    string `json:"view-uuid"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	switch {
	case head.View != "":
		return nil, errs.Unsupported("views of Iceberg")
	case head.Version == nil:
		return nil, errors.New("it has no format-version")
	case *head.Version > newest:
		return nil, errs.Unsupported("version %d of the format of Iceberg tables; versions 1 to %d are read", *head.Version, newest)
	case *head.Version < 1:
		return nil, fmt.Errorf("its format-version is %d", *head.Version)
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	return in.table(b)
}

func (in *tableJSON) table(b *quota.Budget) (*Table, error) {
	t := &Table{
		Version: in.Version, Location: in.Location, Properties: in.Properties, Updated: time.UnixMilli(in.Updated).UTC(),
		Schemas: map[int]*schema.Schema{}, Specs: map[int]*partition.Spec{}, Refs: map[string]Ref{}, byID: map[int64]*Snapshot{},
	}
	if err := in.required(); err != nil {
		return nil, err
	}
	for _, s := range in.Schemas {
		if s == nil {
			return nil, errors.New("a schema is null")
		}
		t.Schemas[s.ID] = s
	}
	if len(in.Schemas) > 0 && in.SchemaID != nil {
		if t.Schema = t.Schemas[*in.SchemaID]; t.Schema == nil {
			return nil, fmt.Errorf("its current schema %d is not among its schemas", *in.SchemaID)
		}
	}
	if t.Schema == nil && in.Version == 1 {
		t.Schema = in.Schema
	}
	if t.Schema == nil {
		return nil, errors.New("it has no current schema")
	}
	for _, s := range in.Specs {
		if s == nil {
			return nil, errors.New("a partition spec is null")
		}
		t.Specs[s.ID] = s
	}
	if in.Specs == nil && in.Spec != nil {
		t.Specs[0] = in.Spec
	}
	if err := in.snapshots(t); err != nil {
		return nil, err
	}
	var err error
	t.Names, err = namesOf(in.Properties["schema.name-mapping.default"], t.Schema.Fields, b)
	return t, err
}

// required checks that what the format requires is there (Table Metadata Fields), though not all of it
// is used here: a file without is no whole metadata file.
func (in *tableJSON) required() error {
	second := in.Version > 1
	for _, f := range []struct {
		name           string
		there, unasked bool
	}{
		{"location", in.Location != "", false},
		{"schemas", in.Schemas != nil, !second},
		{"current-schema-id", in.SchemaID != nil, !second && in.Schemas == nil},
		{"partition-specs", in.Specs != nil, !second},
		{"default-spec-id", in.DefaultSpec != nil, !second && in.Specs == nil},
		{"last-partition-id", in.LastPartition != nil, !second},
		{"sort-orders", len(in.SortOrders) > 0, !second},
	} {
		if !f.there && !f.unasked {
			return fmt.Errorf("it has no %s", f.name)
		}
	}
	return nil
}

func (in *tableJSON) snapshots(t *Table) error {
	for _, s := range in.Snapshots {
		own := &Snapshot{
			ID: s.ID, Parent: s.Parent, Sequence: s.Sequence, Time: time.UnixMilli(s.Time).UTC(), ManifestList: s.ManifestList, Manifests: s.Manifests,
			Operation: s.Summary["operation"], Summary: s.Summary, SchemaID: s.SchemaID, KeyID: s.KeyID,
		}
		if t.byID[s.ID] != nil {
			return fmt.Errorf("it has two snapshots %d", s.ID)
		}
		t.Snapshots, t.byID[s.ID] = append(t.Snapshots, own), own
	}
	for _, c := range in.Log {
		t.Log = append(t.Log, Change{time.UnixMilli(c.Time).UTC(), c.Snapshot})
	}
	for name, r := range in.Refs {
		if r.Type != "tag" && r.Type != "branch" {
			return fmt.Errorf("the reference %q is of type %q", name, r.Type)
		}
		t.Refs[name] = Ref{Snapshot: r.Snapshot, Tag: r.Type == "tag", MaxAge: r.MaxAge, MaxSnapshotAge: r.MaxSnapshotAge, MinSnapshots: r.MinSnapshots}
	}
	current := in.Current
	if main, ok := t.Refs[mainBranch]; ok && current == nil {
		current = &main.Snapshot
	}
	if current == nil || *current == -1 {
		return nil
	}
	if t.Current = t.byID[*current]; t.Current == nil {
		return fmt.Errorf("its current snapshot %d is not among its snapshots", *current)
	}
	if _, ok := t.Refs[mainBranch]; !ok {
		t.Refs[mainBranch] = Ref{Snapshot: *current}
	}
	return nil
}

const mainBranch = "main"

// Snapshot is the snapshot of an id, nil if there is none.
func (t *Table) Snapshot(id int64) *Snapshot { return t.byID[id] }

// SchemaOf is the schema that the table had at a snapshot.
func (t *Table) SchemaOf(s *Snapshot) *schema.Schema {
	if s != nil && s.SchemaID != nil {
		if own := t.Schemas[*s.SchemaID]; own != nil {
			return own
		}
	}
	return t.Schema
}

// At is the snapshot that was the current one at a time (Point in Time Reads).
func (t *Table) At(at time.Time) (*Snapshot, error) {
	var found *Change
	for i, c := range t.Log {
		if !c.Time.After(at) && (found == nil || !c.Time.Before(found.Time)) {
			found = &t.Log[i]
		}
	}
	switch {
	case len(t.Log) == 0:
		return nil, errors.New("the table has no snapshot-log, which would say what it was at a time")
	case found == nil:
		return nil, fmt.Errorf("no snapshot is as old as %s", at.UTC().Format(time.RFC3339Nano))
	}
	s := t.byID[found.Snapshot]
	if s == nil {
		return nil, fmt.Errorf("snapshot %d, which was the current one at that time, is expired", found.Snapshot)
	}
	return s, nil
}
