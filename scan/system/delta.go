package system

import (
	"context"
	"strings"

	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/computed"
	"github.com/parquetsql/parquetsql/scan/delta"
	"github.com/parquetsql/parquetsql/scan/delta/action"
	"github.com/parquetsql/parquetsql/scan/delta/log"
	"github.com/parquetsql/parquetsql/vector"
)

// deltaTable is a system table of a Delta table, which reads its log alone; nil where it is none.
func deltaTable(ctx context.Context, s *catalog.Snapshot, name, kind string) (*computed.Table, error) {
	make := deltaTables[kind]
	if make == nil {
		return nil, nil
	}
	p, at, err := s.Delta(ctx, name)
	if p == nil || err != nil {
		return nil, err
	}
	d, err := make(ctx, p, at)
	if err != nil {
		return nil, err
	}
	return virtual(name+"$"+kind, d), nil
}

// deltaTables has the table t$x of a Delta table t under x.
var deltaTables = map[string]func(context.Context, *delta.Pinned, delta.At) (systemDefinition, error){
	"files": deltaFiles, "history": deltaHistory, "properties": deltaProperties,
}

var utcMicros = vector.TimestampType(vector.Micros, true)

func instant(micros int64) vector.Scalar { return vector.Scalar{Type: utcMicros, I64: micros} }

// deltaFiles has the files of a version, with what the log says of them. Two hidden columns need the
// footers.
func deltaFiles(ctx context.Context, p *delta.Pinned, at delta.At) (systemDefinition, error) {
	v, err := p.Version(ctx, at)
	if err != nil {
		return systemDefinition{}, err
	}
	d := systemDefinition{columns: systemColumns("file:t size:n rows:n? deleted_rows:n partition_values:t statistics:t? deletion_vector:t?")}
	d.columns = append(d.columns, scan.Column{Name: "modification_time", Type: utcMicros})
	footers := len(d.columns)
	for _, c := range systemColumns("row_groups:n created_by:t?") {
		c.Hidden = true
		d.columns = append(d.columns, c)
	}
	d.some = func(ctx context.Context, needs func(int) bool, emit func(row) error) error {
		opens := needs(footers) || needs(footers+1)
		all, err := v.All()
		if err != nil {
			return err
		}
		for i, f := range v.Files {
			deleted, vector, stats := int64(0), noText, noText
			if f.Deletion != nil {
				deleted, vector = f.Deletion.Rows, text(f.Deletion.ID())
			}
			if f.Stats != "" {
				stats = text(f.Stats)
			}
			own := all[i]
			r := row{text(own.Path), number(f.Size), orNull(own.Rows), number(deleted), text(partitionText(v, f)), stats, vector, instant(f.Modified * 1000), noNumber, noText}
			if opens {
				m, _, err := own.Metadata(ctx)
				if err != nil {
					return err
				}
				r[footers], r[footers+1] = number(int64(len(m.RowGroups()))), textOrNull(m.Meta.CreatedBy)
			}
			if err := emit(r); err != nil {
				return err
			}
		}
		return nil
	}
	return d, nil
}

// partitionText is the partition values of a file as JSON.
func partitionText(v *delta.Version, f *action.File) string {
	out := []byte{'{'}
	v.Partition(f, func(column string, value action.Value) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(vector.AppendQuoted(out, column), ':')
		if value.Null {
			out = append(out, "null"...)
		} else {
			out = vector.AppendQuoted(out, value.Text)
		}
	})
	return string(append(out, '}'))
}

// deltaHistory has the versions that can be read, the newest first.
func deltaHistory(_ context.Context, p *delta.Pinned, _ delta.At) (systemDefinition, error) {
	d := systemDefinition{columns: systemColumns("version:n operation:t? operation_parameters:t? operation_metrics:t? engine:t? user_name:t?")}
	d.columns = append(d.columns, scan.Column{Name: "timestamp", Type: utcMicros})
	d.rows = func(ctx context.Context, emit func(row) error) error {
		var failed error
		err := p.Commits(ctx, func(c log.Commit) bool {
			failed = emit(row{
				number(c.Version), textOrNull(c.Operation), textOrNull(c.Parameters), textOrNull(c.Metrics), textOrNull(c.Engine), textOrNull(c.User), instant(c.Time.UnixMicro()),
			})
			return failed == nil
		})
		if failed != nil {
			return failed
		}
		return err
	}
	return d, nil
}

// deltaProperties has the properties of a version.
func deltaProperties(ctx context.Context, p *delta.Pinned, at delta.At) (systemDefinition, error) {
	v, err := p.Version(ctx, at)
	if err != nil {
		return systemDefinition{}, err
	}
	d := systemDefinition{columns: systemColumns("key:t value:t")}
	d.rows = func(_ context.Context, emit func(row) error) error {
		for _, pair := range v.Properties() {
			if err := emit(row{text(pair[0]), text(pair[1])}); err != nil {
				return err
			}
		}
		return nil
	}
	return d, nil
}

// textOrNull is a text, NULL where it is empty or the null of JSON.
func textOrNull(s string) vector.Scalar {
	if s == "" || strings.TrimSpace(s) == "null" {
		return noText
	}
	return text(s)
}
