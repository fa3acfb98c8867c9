package action

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/scan/delta/internal/pull"
)

// ReadJSON gives the actions of a JSON file to a sink. file is its name, for errors.
func ReadJSON(file, text string, to Sink, shared *Partitions) error {
	d := &jsonReader{r: pull.New(text), to: to, shared: shared}
	for d.r.More() {
		d.action()
	}
	var syntax *pull.SyntaxError
	if err := d.r.Err(); errors.As(err, &syntax) {
		return &errs.CorruptError{File: file, RowGroup: -1, Offset: int64(syntax.Offset), Err: errors.New(syntax.What)}
	} else if err != nil {
		return err
	}
	return nil
}

// jsonReader reads one file.
type jsonReader struct {
	r      *pull.Reader
	to     Sink
	shared *Partitions
}

// action reads a line: an object of which one field is the action.
func (d *jsonReader) action() {
	r := d.r
	r.Object(func(name string) {
		if !r.IsObject() { // null, as rows of a table have it that was written as JSON
			r.Skip()
			return
		}
		switch name {
		case "add":
			d.add()
		case "remove":
			d.remove()
		case "protocol":
			d.protocol()
		case "metaData":
			d.metadata()
		case "sidecar":
			d.sidecar()
		case "commitInfo":
			d.commit()
		default:
			r.Skip()
		}
	})
}

// done gives an action to the sink, unless it was not read to its end.
func done[T any](r *pull.Reader, give func(T) error, action T) {
	if r.Err() != nil {
		return
	}
	if err := give(action); err != nil {
		r.Fail(err)
	}
}

func (d *jsonReader) add() {
	r, f := d.r, File{}
	hasPath := false
	r.Object(func(name string) {
		switch name {
		case "path":
			f.Path, hasPath = r.Text()
			f.Path = strings.Clone(DecodePath(f.Path))
		case "partitionValues":
			f.Partition = d.partition()
		case "size":
			f.Size, _ = r.Int()
		case "modificationTime":
			f.Modified, _ = r.Int()
		case "stats":
			f.Stats = d.stats()
		case "deletionVector":
			f.Deletion = d.deletion()
		default:
			r.Skip()
		}
	})
	d.checkPath(hasPath, "add")
	if f.Partition == nil {
		f.Partition = noPartition
	}
	done(r, func(f File) error { return d.to.Add(f) }, f)
}

func (d *jsonReader) checkPath(has bool, action string) {
	if !has && d.r.Err() == nil {
		d.r.Fail(&pull.SyntaxError{Offset: d.r.At(), What: "the action " + action + " has no path"})
	}
}

// stats is a text, or the statistics themselves where the file was written by a program that
// does not write them as a text.
func (d *jsonReader) stats() string {
	if d.r.IsObject() {
		return strings.Clone(d.r.Raw())
	}
	s, _ := d.r.Text()
	return strings.Clone(s)
}

// partition reads a map of texts.
func (d *jsonReader) partition() *Partition {
	var names []string
	var values []Value
	d.r.Object(func(name string) {
		text, ok := d.r.Text()
		names, values = append(names, name), append(values, Value{text, !ok || text == ""})
	})
	out, err := d.shared.one(names, values)
	if err != nil {
		d.r.Fail(err)
	}
	return out
}

func (d *jsonReader) deletion() *Deletion {
	r, out := d.r, &Deletion{Offset: -1}
	isOne := r.Object(func(name string) {
		switch name {
		case "storageType":
			out.Storage, _ = r.Text()
		case "pathOrInlineDv":
			out.PathOrInline, _ = r.Text()
		case "offset":
			if n, ok := r.Int(); ok {
				out.Offset = n
			}
		case "sizeInBytes":
			out.Size, _ = r.Int()
		case "cardinality":
			out.Rows, _ = r.Int()
		default:
			r.Skip()
		}
	})
	if !isOne {
		return nil
	}
	out.Storage, out.PathOrInline = strings.Clone(out.Storage), strings.Clone(out.PathOrInline)
	return out
}

func (d *jsonReader) remove() {
	r := d.r
	var path string
	var deletion *Deletion
	hasPath := false
	r.Object(func(name string) {
		switch name {
		case "path":
			path, hasPath = r.Text()
		case "deletionVector":
			deletion = d.deletion()
		default:
			r.Skip()
		}
	})
	d.checkPath(hasPath, "remove")
	done(r, d.to.Remove, Remove{strings.Clone(key(DecodePath(path), deletion))})
}

func (d *jsonReader) protocol() {
	r, p := d.r, Protocol{}
	r.Object(func(name string) {
		switch name {
		case "minReaderVersion":
			p.MinReader, _ = r.Int()
		case "minWriterVersion":
			p.MinWriter, _ = r.Int()
		case "readerFeatures":
			p.ReaderFeatures = d.texts()
		case "writerFeatures":
			p.WriterFeatures = d.texts()
		default:
			r.Skip()
		}
	})
	done(r, d.to.Protocol, p)
}

// texts reads a list of texts; nil for null.
func (d *jsonReader) texts() []string {
	out := []string{}
	isOne := d.r.Array(func() {
		s, _ := d.r.Text()
		out = append(out, strings.Clone(s))
	})
	if !isOne {
		return nil
	}
	return out
}

func (d *jsonReader) metadata() {
	r, m := d.r, Metadata{}
	r.Object(func(name string) {
		switch name {
		case "id":
			m.ID = d.text()
		case "name":
			m.Name = d.text()
		case "description":
			m.Description = d.text()
		case "format":
			r.Object(func(name string) {
				if name == "provider" {
					m.Provider = d.text()
				} else {
					r.Skip()
				}
			})
		case "schemaString":
			m.Schema = d.text()
		case "partitionColumns":
			m.PartitionColumns = d.texts()
		case "createdTime":
			m.CreatedTime, _ = r.Int()
		case "configuration":
			m.Configuration = d.configuration()
		default:
			r.Skip()
		}
	})
	done(r, d.to.Metadata, m)
}

// text reads a text that outlives the file's.
func (d *jsonReader) text() string {
	s, _ := d.r.Text()
	return strings.Clone(s)
}

// configuration reads a map of texts. Values of other types are their JSON.
func (d *jsonReader) configuration() map[string]string {
	out := map[string]string{}
	d.r.Object(func(name string) {
		name = strings.Clone(name)
		if d.r.IsText() {
			out[name] = d.text()
		} else if raw := d.r.Raw(); raw != "null" {
			out[name] = strings.Clone(raw)
		}
	})
	return out
}

func (d *jsonReader) sidecar() {
	r, s := d.r, Sidecar{}
	hasPath := false
	r.Object(func(name string) {
		switch name {
		case "path":
			s.Path, hasPath = r.Text()
			s.Path = strings.Clone(DecodePath(s.Path))
		case "sizeInBytes":
			s.Size, _ = r.Int()
		default:
			r.Skip()
		}
	})
	d.checkPath(hasPath, "sidecar")
	done(r, d.to.Sidecar, s)
}

// commit reads what may be of any type without a complaint.
func (d *jsonReader) commit() {
	r, c := d.r, Commit{}
	r.Object(func(name string) {
		raw := strings.Clone(r.Raw())
		switch name {
		case "timestamp":
			c.Timestamp = integer(raw)
		case "inCommitTimestamp":
			c.InCommit = integer(raw)
		case "operation":
			c.Operation = plain(raw)
		case "operationParameters":
			c.Parameters = raw
		case "operationMetrics":
			c.Metrics = raw
		case "engineInfo":
			c.Engine = plain(raw)
		case "userName":
			c.User = plain(raw)
		}
	})
	done(r, d.to.Commit, c)
}

// LastCheckpoint is the version that a _last_checkpoint file has.
func LastCheckpoint(text string) (version int64, ok bool) {
	r := pull.New(text)
	r.Object(func(name string) {
		if name == "version" {
			version, ok = r.Int()
		} else {
			r.Skip()
		}
	})
	return version, ok && r.Err() == nil && version >= 0
}

// integer is the value of a JSON integer, 0 for all else.
func integer(raw string) int64 {
	r := pull.New(raw)
	n, _ := r.Int()
	if r.Err() != nil {
		return 0
	}
	return n
}

// plain is a JSON string without its quotes, and empty for null.
func plain(raw string) string {
	r := pull.New(raw)
	if !r.IsText() {
		return strings.TrimPrefix(raw, "null")
	}
	s, _ := r.Text()
	return s
}
