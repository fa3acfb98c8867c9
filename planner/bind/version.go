package bind

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// Versions is a Catalog whose tables may have versions.
type Versions interface {
	// TableAt is a version of a table: by the name of a branch or tag or by its number, as far as
	// that is not nil, or the newest that is not younger than a time.
	TableAt(ctx context.Context, name string, version *int64, ref string, at *time.Time) (logical.Table, error)
}

// lookUp is how tables are found: in a version, if one is meant.
func (b *binder) lookUp(v *ast.Version) (func(name string) (logical.Table, error), error) {
	if given := b.instead; given != nil {
		return func(string) (logical.Table, error) { return given, nil }, nil
	}
	if v == nil {
		return func(name string) (logical.Table, error) { return b.env.Catalog.Table(b.ctx, name) }, nil
	}
	c, ok := b.env.Catalog.(Versions)
	if !ok {
		return nil, errs.At(v.Pos, v.End, errs.Unsupported("versions of tables"))
	}
	of, err := b.versionOf(v)
	if err != nil {
		return nil, errs.At(v.Pos, v.End, err)
	}
	return func(name string) (logical.Table, error) {
		return c.TableAt(b.ctx, name, of.number, of.ref, of.time)
	}, nil
}

// version is a version of a table as TableAt has it.
type version struct {
	number *int64
	ref    string
	time   *time.Time
}

// versionOf is the constant of a version: its number, a name, or a time. A text may be a name or a
// number.
func (b *binder) versionOf(v *ast.Version) (version, error) {
	t, clause := vector.Of(vector.BigInt), "VERSION AS OF"
	if v.Time {
		t, clause = vector.TimestampType(vector.Micros, true), "TIMESTAMP AS OF"
	}
	x, err := (&typer{b: b, scope: &scope.Scope{}, clause: clause}).bind(v.Value)
	if err != nil {
		return version{}, err
	}
	if v.Time && x.Type().IsNumeric() {
		return version{}, fmt.Errorf("%s needs a time, not %s", clause, x.Type())
	}
	named := !v.Time && x.Type().IsText()
	if !named {
		if x, err = expr.NewCast(x, t, false); err != nil {
			return version{}, fmt.Errorf("%s: %w", clause, err)
		}
	}
	s, err := expr.EvalConstant(x)
	switch {
	case len(expr.ColumnsOf(x)) > 0:
		return version{}, fmt.Errorf("%s needs a constant", clause)
	case err != nil:
		return version{}, fmt.Errorf("%s: %w", clause, err)
	case s.Null:
		return version{}, fmt.Errorf("%s is NULL", clause)
	case v.Time:
		at := time.UnixMicro(s.I64).UTC()
		return version{time: &at}, nil
	case named && s.Str == "":
		return version{}, fmt.Errorf("%s is an empty name", clause)
	case named:
		out := version{ref: s.Str}
		if n, err := strconv.ParseInt(strings.TrimSpace(s.Str), 10, 64); err == nil {
			out.number = &n
		}
		return out, nil
	}
	return version{number: &s.I64}, nil
}

// lakeScan binds the functions that DuckDB has for tables of a format: delta_scan('path', version => 3)
// and iceberg_scan('path', snapshot_from_id => 3), of a table below the location.
func (b *binder) lakeScan(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	if len(f.Args) != 1 {
		return nil, nil, fmt.Errorf("%s takes the path of a table, and options", f.Name)
	}
	t := typer{b: b, scope: &scope.Scope{}, clause: "the arguments of " + f.Name, outer: outer}
	x, err := t.bind(f.Args[0])
	if err != nil {
		return nil, nil, err
	}
	paths, ok := textLiterals(x)
	if !ok || len(paths) != 1 {
		return nil, nil, fmt.Errorf("%s takes the path of a table, not %s", f.Name, x)
	}
	c, ok := b.env.Catalog.(Versions)
	if !ok {
		return nil, nil, errs.Unsupported("versions of tables")
	}
	options, shown := lakeOptions[strings.ToLower(f.Name)], map[string]string{}
	name, of := paths[0], version{}
	for _, o := range f.Options {
		kind, ok := options[strings.ToLower(o.Name)]
		if !ok {
			return nil, nil, errs.Unsupported("the option %s of %s; there are %s", o.Name, f.Name, strings.Join(slices.Sorted(maps.Keys(options)), ", "))
		}
		switch kind {
		case ignored:
			continue
		case byFile:
			value, err := t.constantOption(f, o)
			if err != nil {
				return nil, nil, err
			}
			showFileColumn(shown, o.Name, value)
			continue
		}
		given, err := b.versionOf(&ast.Version{Span: o.Span, Value: o.Value, Time: kind == byTime})
		switch {
		case err != nil:
			return nil, nil, err
		case kind == byMetadata:
			name = metadataName(name, given)
		default:
			of = given
		}
	}
	found, err := c.TableAt(b.ctx, name, of.number, of.ref, of.time)
	if err != nil {
		return nil, nil, err
	}
	src := &scope.Source{Alias: f.Alias}
	if f.Alias == "" {
		src.Alias = f.Name
	}
	node := b.scan(src, found)
	src.NameFileColumns()
	if err := show(src, shown, f.Name); err != nil {
		return nil, nil, err
	}
	return node, &scope.Scope{Sources: []*scope.Source{src}}, src.Rename(f.Columns)
}

// What an option of such a function says.
const (
	ignored    = iota // something that need not be said here
	byVersion         // the version, or the id of a snapshot
	byTime            // a time
	byMetadata        // which metadata file of an Iceberg table is meant
	byFile            // that a hidden column is shown
)

var lakeOptions = map[string]map[string]int{
	"delta_scan": {"version": byVersion, "filename": byFile, "file_row_number": byFile},
	"iceberg_scan": {
		"filename": byFile, "file_row_number": byFile,
		"snapshot_from_id": byVersion, "snapshot_from_timestamp": byTime, "version": byMetadata,
		"allow_moved_paths": ignored, "metadata_compression_codec": ignored, "skip_schema_inference": ignored, "mode": ignored,
	},
}

// metadataName is the path of a metadata file of an Iceberg table; '?' is the current one.
func metadataName(table string, v version) string {
	name := v.ref
	if v.number != nil {
		name = "v" + strconv.FormatInt(*v.number, 10)
	}
	if name == "?" {
		return table
	}
	return path.Join(table, "metadata", name+".metadata.json")
}
