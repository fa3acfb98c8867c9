package manifest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"encoding/json"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/avro"
	"github.com/parquetsql/parquetsql/scan/iceberg/partition"
)

// Content is what a file has.
type Content uint8

// The contents.
const (
	Data Content = iota
	Positions
	Equality
)

// File is a data file or a delete file that a snapshot has (Manifest Entry Fields, Data File
// Fields). Numbers that a manifest does not have are -1.
type File struct {
	Content   Content
	Path      string
	Format    string // in lower case
	Spec      *partition.Spec
	Partition []avro.Value // by the fields of Spec
	Key       string       // of files with the same spec and partition it is the same
	Records   int64
	Size      int64
	Columns   []Column // ascending by id

	Snapshot  int64 // that added it
	Sequence  int64 // of its data
	FirstRow  int64 // the id of its first row
	Equality  []int32
	Encrypted bool

	Referenced    string // the only data file of which it deletes rows; "": any
	ContentOffset int64  // of a deletion vector in the file
	ContentSize   int64
}

// The status of an entry.
const (
	existing = 0
	added    = 1
	deleted  = 2
)

// Read reads the files of a manifest that are not deleted. specs are those of the table. What the files
// take stays charged.
func Read(data []byte, m *Manifest, specs map[int]*partition.Spec, b *quota.Budget) (list []*File, charged int64, err error) {
	f, err := avro.Open(data, b, "format-version", "partition-spec-id", "partition-spec")
	if err != nil {
		return nil, 0, err
	}
	r := reader{file: f, manifest: m, nextRow: m.FirstRow, budget: b, places: map[int32]int{}}
	if err := r.findSpec(specs); err != nil {
		return nil, 0, err
	}
	if v := f.Metadata["format-version"]; v != "" && v != "1" && v != "2" && v != "3" {
		return nil, 0, errs.Unsupported("manifests of version %q", v)
	}
	r.ignoreMissing()
	r.first = !slices.ContainsFunc(f.Schema.Fields, func(f avro.Field) bool { return f.ID == 3 })
	if err := f.Each(r.entry); err != nil {
		b.Release(r.charged)
		return nil, 0, err
	}
	return r.out, r.charged, nil
}

type reader struct {
	file     *avro.File
	manifest *Manifest
	spec     *partition.Spec
	first    bool // version 1: there are no sequence numbers
	nextRow  int64
	budget   *quota.Budget
	charged  int64
	out      []*File

	places map[int32]int // of the first placed columns of the file, by id
	placed int
}

// findSpec finds the spec of the manifest: in the table or, where that does not have it, in the
// manifest itself.
func (r *reader) findSpec(specs map[int]*partition.Spec) error {
	id := r.manifest.Spec
	if own := r.file.Metadata["partition-spec-id"]; id < 0 && own != "" {
		if _, err := fmt.Sscan(own, &id); err != nil {
			return fmt.Errorf("the partition-spec-id: %w", err)
		}
	}
	id = max(id, 0)
	if r.spec = specs[int(id)]; r.spec != nil {
		return nil
	}
	r.spec = &partition.Spec{}
	if err := json.Unmarshal([]byte(r.file.Metadata["partition-spec"]), r.spec); err != nil {
		return fmt.Errorf("the partition spec %d: %w", id, err)
	}
	r.spec.ID = int(id)
	return nil
}

// ignoreMissing makes the transforms of partition fields that the records of the manifest lack unknown:
// their values are not NULL.
func (r *reader) ignoreMissing() {
	record := r.file.Schema.Field(2).Field(102)
	if record == nil {
		return // the entries are refused
	}
	own := &partition.Spec{ID: r.spec.ID, Fields: slices.Clone(r.spec.Fields)}
	for i, f := range own.Fields {
		if f.Transform.Kind != partition.Void && !slices.ContainsFunc(record.Fields, func(o avro.Field) bool { return isField(&o, f) }) {
			own.Fields[i].Transform, r.spec = partition.Transform{}, own
		}
	}
}

// isField reports whether a field of a record is one of a spec: by its id or, in old files, its name.
func isField(f *avro.Field, of partition.Field) bool {
	return f.ID >= 0 && int64(of.ID) == f.ID || f.ID < 0 && of.Name == f.Name
}

func (r *reader) entry(d *avro.Decoder) error {
	status, sequence := int64(-1), int64(-1)
	out := &File{Records: -1, Size: -1, FirstRow: -1, ContentOffset: -1, ContentSize: -1, Spec: r.spec, Snapshot: -1}
	found := false
	clear(r.places)
	r.placed = 0
	d.Record(r.file.Schema, func(f *avro.Field) {
		switch f.ID {
		case 0:
			status = number(d, f, -1)
		case 1:
			out.Snapshot = number(d, f, r.manifest.Snapshot)
		case 3:
			sequence = number(d, f, -1)
		case 2:
			found = d.Record(f.Type, func(f *avro.Field) { r.field(d, f, out) })
		default:
			d.Skip(f.Type)
		}
	})
	if d.Err() != nil {
		return d.Err()
	}
	if status < existing || status > deleted || !found {
		return fmt.Errorf("an entry has status %d", status)
	}
	if status == deleted {
		return nil
	}
	if err := r.check(out); err != nil {
		return fmt.Errorf("file %q: %w", out.Path, err)
	}
	switch {
	case sequence >= 0:
		out.Sequence = sequence
	case r.first:
	case status == added || r.manifest.Sequence == 0: // Sequence Number Inheritance
		out.Sequence = r.manifest.Sequence
	default:
		return fmt.Errorf("file %q, which was there before, has no sequence number", out.Path)
	}
	if out.Content == Data && out.FirstRow < 0 && r.nextRow >= 0 { // First Row ID Inheritance
		out.FirstRow = r.nextRow
		if r.nextRow += out.Records; r.nextRow < 0 {
			return errors.New("its row ids have more than 63 bits")
		}
	}
	out.Key = r.key(out)
	slices.SortFunc(out.Columns, func(a, b Column) int { return int(a.ID) - int(b.ID) })
	if err := r.keep(out); err != nil {
		return err
	}
	r.out = append(r.out, out)
	return nil
}

func (r *reader) check(f *File) error {
	switch {
	case f.Path == "":
		return errors.New("it has no path")
	case f.Records < 0:
		return fmt.Errorf("it has %d records", f.Records)
	case f.Size < 0:
		return fmt.Errorf("it has %d bytes", f.Size)
	case (f.Content != Data) != r.manifest.Deletes:
		return errors.New("data files and delete files are in one manifest")
	case len(f.Partition) != len(r.spec.Fields):
		return errors.New("it has no partition, and its spec has fields")
	case f.Content == Equality && len(f.Equality) == 0:
		return errors.New("an equality delete file has no equality_ids")
	case f.Content == Positions && f.Format == "puffin" && f.Referenced == "":
		return errors.New("a deletion vector has no referenced_data_file")
	}
	return nil
}

func (r *reader) field(d *avro.Decoder, f *avro.Field, to *File) {
	switch f.ID {
	case 134:
		to.Content = Content(content(d, f, int64(Equality)))
	case 100:
		to.Path = text(d, f)
	case 101:
		to.Format = strings.ToLower(text(d, f))
	case 102:
		r.partition(d, f, to)
	case 103:
		to.Records = number(d, f, -1)
	case 104:
		to.Size = number(d, f, -1)
	case 108:
		r.counts(d, f, to, func(c *Column) *int64 { return &c.Size })
	case 109:
		r.counts(d, f, to, func(c *Column) *int64 { return &c.Values })
	case 110:
		r.counts(d, f, to, func(c *Column) *int64 { return &c.Nulls })
	case 137:
		r.counts(d, f, to, func(c *Column) *int64 { return &c.NaNs })
	case 125:
		r.bounds(d, f, to, func(c *Column) *[]byte { return &c.Lower })
	case 128:
		r.bounds(d, f, to, func(c *Column) *[]byte { return &c.Upper })
	case 131:
		b, _ := d.Bytes(f.Type)
		to.Encrypted = len(b) > 0
	case 135:
		d.Array(f.Type, func(of *avro.Schema) {
			id, _ := d.Int(of)
			if to.Equality = append(to.Equality, int32(id)); len(to.Equality) > maxColumns {
				d.Fail(fmt.Errorf("it is by more than %d columns", maxColumns))
			}
		})
	case 142:
		to.FirstRow = number(d, f, -1)
	case 143:
		to.Referenced = text(d, f)
	case 144:
		to.ContentOffset = number(d, f, -1)
	case 145:
		to.ContentSize = number(d, f, -1)
	default:
		d.Skip(f.Type)
	}
}

// partition takes the partition values.
func (r *reader) partition(d *avro.Decoder, f *avro.Field, to *File) {
	values := make([]avro.Value, len(r.spec.Fields))
	found := d.Record(f.Type, func(f *avro.Field) {
		at := slices.IndexFunc(r.spec.Fields, func(o partition.Field) bool { return isField(f, o) })
		if at < 0 {
			d.Skip(f.Type)
			return
		}
		values[at] = d.Value(f.Type)
	})
	if found {
		to.Partition = values
	}
}

// key is the spec and the partition as bytes. Floats are equal where their bits are; all NaN are one.
func (r *reader) key(f *File) string {
	out := binary.AppendVarint(nil, int64(r.spec.ID))
	for _, v := range f.Partition {
		out = append(out, byte(v.Kind))
		switch v.Kind {
		case avro.Float, avro.Double:
			out[len(out)-1] = byte(avro.Double)
			bits := math.Float64bits(v.Float)
			if v.Float != v.Float {
				bits = math.Float64bits(math.NaN())
			}
			out = binary.BigEndian.AppendUint64(out, bits)
		case avro.Bytes, avro.Fixed:
			out[len(out)-1] = byte(avro.Bytes)
			b := v.Bytes
			for v.Kind == avro.Fixed && len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
				b = b[1:] // a decimal of more digits than before has more bytes
			}
			out = append(binary.AppendUvarint(out, uint64(len(b))), b...)
		case avro.Int, avro.Boolean:
			out[len(out)-1] = byte(avro.Int)
			out = binary.AppendVarint(out, v.Int)
		}
	}
	return string(out)
}
