package manifest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/scan/iceberg/avro"
)

// Manifest is an entry of a manifest list (Manifest Lists). Numbers that a list does not have are -1.
type Manifest struct {
	Path     string
	Length   int64
	Spec     int64
	Deletes  bool // its files are delete files
	Sequence int64
	Snapshot int64 // that added it

	AddedFiles, ExistingFiles, DeletedFiles int64
	AddedRows, ExistingRows, DeletedRows    int64

	Partitions []Summary // by the fields of the spec; nil: not known
	FirstRow   int64     // the row id of the first row without one; -1: rows have none
}

// mostRows is how many rows are believed of a table. Sums of so many, and of those of files, do not overflow.
const mostRows = 1 << 60

// Rows is how many rows the files of the manifest have, after some that others have; false: the list
// does not say it, or it is more than there can be.
func (m *Manifest) Rows(others int64) (int64, bool) {
	sum := others
	for _, kind := range [][2]int64{{m.AddedFiles, m.AddedRows}, {m.ExistingFiles, m.ExistingRows}} {
		files, rows := kind[0], kind[1]
		if files < 0 || rows < 0 || rows == 0 && files > 0 || rows > mostRows-sum { // who counts no rows of files may not count
			return others, false
		}
		sum += rows
	}
	return sum, true
}

// Summary is what the files of a manifest have as one of their partition values.
type Summary struct {
	Null, NaN    bool   // some have that, or may
	Lower, Upper []byte // of the others; nil: there are none, or it is not known
}

// manifestBytes is about what a manifest takes in memory besides its texts, and summaryBytes what one
// of its partition fields does.
const (
	manifestBytes = 250
	summaryBytes  = 64
)

// ReadList reads a manifest list. What it takes stays charged, unless there is an error.
func ReadList(data []byte, b *quota.Budget) ([]*Manifest, error) {
	f, err := avro.Open(data, b)
	if err != nil {
		return nil, err
	}
	var out []*Manifest
	charged := int64(0)
	err = f.Each(func(d *avro.Decoder) error {
		m := newManifest()
		encrypted := false
		d.Record(f.Schema, func(f *avro.Field) {
			switch f.ID {
			case 500:
				m.Path = text(d, f)
			case 501:
				m.Length = number(d, f, -1)
			case 502:
				m.Spec = number(d, f, 0)
			case 517:
				m.Deletes = content(d, f, 1) == 1
			case 515:
				m.Sequence = number(d, f, 0)
			case 503:
				m.Snapshot = number(d, f, -1)
			case 504:
				m.AddedFiles = number(d, f, -1)
			case 505:
				m.ExistingFiles = number(d, f, -1)
			case 506:
				m.DeletedFiles = number(d, f, -1)
			case 512:
				m.AddedRows = number(d, f, -1)
			case 513:
				m.ExistingRows = number(d, f, -1)
			case 514:
				m.DeletedRows = number(d, f, -1)
			case 507:
				d.Array(f.Type, func(of *avro.Schema) {
					if m.Partitions = append(m.Partitions, summary(d, of)); len(m.Partitions) > maxColumns {
						d.Fail(fmt.Errorf("it has summaries of more than %d fields", maxColumns))
					}
				})
			case 519:
				_, encrypted = d.Bytes(f.Type)
			case 520:
				m.FirstRow = number(d, f, -1)
			default:
				d.Skip(f.Type)
			}
		})
		switch {
		case d.Err() != nil:
			return d.Err()
		case m.Path == "":
			return errors.New("a manifest has no path")
		case encrypted:
			return errs.Unsupported("encrypted manifests, such as %q", m.Path)
		}
		n := int64(manifestBytes + len(m.Path))
		for i, s := range m.Partitions {
			m.Partitions[i].Lower, m.Partitions[i].Upper = bytes.Clone(s.Lower), bytes.Clone(s.Upper)
			n += summaryBytes + int64(len(s.Lower)+len(s.Upper))
		}
		if err := b.Need(n); err != nil {
			return err
		}
		charged += n
		out = append(out, m)
		return nil
	})
	if err != nil {
		b.Release(charged)
		return nil, err
	}
	return out, nil
}

func newManifest() *Manifest {
	return &Manifest{
		Length: -1, AddedFiles: -1, ExistingFiles: -1, DeletedFiles: -1, AddedRows: -1, ExistingRows: -1, DeletedRows: -1, FirstRow: -1,
	}
}

// Alone is a manifest that a snapshot of version 1 names without a list.
func Alone(path string, snapshot int64) *Manifest {
	m := newManifest()
	m.Path, m.Spec, m.Snapshot = path, -1, snapshot
	return m
}

func summary(d *avro.Decoder, s *avro.Schema) Summary {
	out := Summary{Null: true, NaN: true}
	d.Record(s, func(f *avro.Field) {
		switch f.ID {
		case 509:
			out.Null = number(d, f, 1) != 0
		case 518:
			out.NaN = number(d, f, 1) != 0
		case 510:
			out.Lower, _ = d.Bytes(f.Type)
		case 511:
			out.Upper, _ = d.Bytes(f.Type)
		default:
			d.Skip(f.Type)
		}
	})
	return out
}

func text(d *avro.Decoder, f *avro.Field) string {
	b, _ := d.Bytes(f.Type)
	return string(b)
}

// number takes an integer, or what it is where it is null.
func number(d *avro.Decoder, f *avro.Field, null int64) int64 {
	n, ok := d.Int(f.Type)
	if !ok {
		return null
	}
	return n
}

// content takes what a manifest or a file is of, which is data where that is null.
func content(d *avro.Decoder, f *avro.Field, most int64) int64 {
	n := number(d, f, 0)
	if n < 0 || n > most {
		d.Fail(fmt.Errorf("content %d", n))
	}
	return n
}
