package bind

import (
	"errors"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/desugar"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// isReadParquet reports whether a table function reads files.
func isReadParquet(f *ast.TableFunction) bool {
	return !f.Ordinality && (strings.EqualFold(f.Name, "read_parquet") || strings.EqualFold(f.Name, "parquet_scan"))
}

// readParquet binds read_parquet('path', …): a path or glob below the location, or a list
// of them, as one table.
func (b *binder) readParquet(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	paths, hive, shown, err := b.filesOf(f, outer)
	if err != nil {
		return nil, nil, err
	}
	found := b.instead
	if found == nil {
		if found, err = b.env.Catalog.Files(b.ctx, paths, hive); err != nil {
			return nil, nil, err
		}
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

// filesOf is what read_parquet reads: paths, and the option of partitions as Catalog.Files has it;
// shown gives hidden columns that it shows a name.
func (b *binder) filesOf(f *ast.TableFunction, outer *typer) (paths []string, hive string, shown map[string]string, err error) {
	if len(f.Args) != 1 {
		return nil, "", nil, fmt.Errorf("%s takes a path, a glob or a list of them, and options by their names", f.Name)
	}
	t := typer{b: b, scope: &scope.Scope{}, clause: "the arguments of " + f.Name, outer: outer}
	x, err := t.bind(f.Args[0])
	if missing := (*errs.NotFoundError)(nil); errors.As(err, &missing) && missing.Kind == "column" && missing.Hint == "" {
		missing.Hint = "a path has single quotes"
	}
	if err != nil {
		return nil, "", nil, err
	}
	paths, ok := textLiterals(x)
	if !ok {
		return nil, "", nil, fmt.Errorf("%s takes a path, a glob or a list of them, not %s", f.Name, x)
	}
	hive, shown, err = t.readOptions(f)
	return paths, hive, shown, err
}

// show makes hidden columns visible, under the names that options give them. A column of the
// files that has the name of one is an error: the value would not be what the option promises.
func show(src *scope.Source, shown map[string]string, function string) error {
	for hidden, name := range shown {
		var at *scope.Column
		for i := range src.Columns {
			switch c := &src.Columns[i]; {
			case c.Hidden && c.Name == hidden:
				at = c
			case !c.Hidden && strings.EqualFold(c.Name, name):
				return fmt.Errorf("%s: the option would add the column %q, which the files have; leave it out and select %s", function, name, hidden)
			case !c.Hidden && strings.EqualFold(c.Name, hidden):
				return fmt.Errorf("%s: the column %q of the files hides the one that would be shown as %q; leave the option out", function, c.Name, name)
			}
		}
		if at != nil {
			at.Name, at.Hidden = name, false
		}
	}
	return nil
}

// readOptions binds the options of read_parquet: hive is "on", "off" or "auto", or ""
// for what the location says; shown gives hidden columns that it shows a name.
func (t *typer) readOptions(f *ast.TableFunction) (hive string, shown map[string]string, err error) {
	shown = map[string]string{}
	for _, o := range f.Options {
		if err := desugar.CheckOption(f.Name, o.Name); err != nil {
			return "", nil, err
		}
		c, err := t.constantOption(f, o)
		if err != nil {
			return "", nil, err
		}
		if !strings.EqualFold(o.Name, "hive_partitioning") {
			showFileColumn(shown, o.Name, c)
			continue
		}
		hive = map[bool]string{true: "on", false: "off"}[isOn(c)]
		if strings.EqualFold(c.Str, "auto") {
			hive = "auto"
		}
	}
	return hive, shown, nil
}

// isOn reports whether the value of an option says that it is on.
func isOn(c vector.Scalar) bool { return c.Bool || strings.EqualFold(c.Str, "true") }

// showFileColumn notes which hidden column an option shows, if it is one of those that do. The value of
// filename may be the name.
func showFileColumn(shown map[string]string, option string, c vector.Scalar) {
	switch strings.ToLower(option) {
	case "filename":
		if c.Str != "" && !strings.EqualFold(c.Str, "false") && !isOn(c) {
			shown["_file"] = c.Str
		} else if isOn(c) {
			shown["_file"] = "filename"
		}
	case "file_row_number":
		if isOn(c) {
			shown["_row"] = "file_row_number"
		}
	}
}

// constantOption is the value of an option: TRUE, FALSE or a string.
func (t *typer) constantOption(f *ast.TableFunction, o ast.Option) (vector.Scalar, error) {
	if id, ok := o.Value.(*ast.Ident); ok && len(id.Parts) == 1 { // hive_partitioning = auto
		return vector.StringScalar(id.Parts[0]), nil
	}
	x, err := t.bind(o.Value)
	if err != nil {
		return vector.Scalar{}, err
	}
	c, ok := x.(*expr.Const)
	if !ok || c.Value.Null {
		return vector.Scalar{}, fmt.Errorf("the option %s of %s needs a constant", o.Name, f.Name)
	}
	if t := c.Value.Type; t.IsInteger() {
		return vector.BoolScalar(c.Value.I64 != 0), nil
	}
	return c.Value, nil
}
