package bind

import (
	"errors"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/setting"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// listedSettings is the rows of SHOW VARIABLES and SHOW ALL, of SHOW with the name of one
// setting, and of the lists of MySQL that are always empty.
func listedSettings(ids *logical.IDs, s *ast.Show) (logical.Node, error) {
	switch s.Kind {
	case ast.ShowNothing:
		return TextRows(ids, strings.Fields(s.Name), nil), nil
	case ast.ShowSetting:
		return one(ids, s.Name), nil
	}
	var rows [][]*string
	for _, v := range setting.All() {
		rows = append(rows, []*string{&v.Name, &v.Value})
	}
	return likeListing(TextRows(ids, []string{"Variable_name", "Value"}, rows), s.Like)
}

// one is the row of SHOW name; nil if there is no such setting.
func one(ids *logical.IDs, name string) logical.Node {
	value, ok := setting.Value(name)
	if !ok {
		return nil
	}
	return TextRows(ids, []string{name}, TextColumn([]string{value}))
}

// listedSetting is the row of SHOW name, where err says that no table has the name; nil where
// none is meant.
func listedSetting(ids *logical.IDs, s *ast.Describe, err error) logical.Node {
	var missing *errs.NotFoundError
	if s.Table == nil || len(s.Table.Parts) != 1 || !errors.As(err, &missing) {
		return nil
	}
	if n := one(ids, s.Table.Parts[0]); n != nil {
		return n
	}
	return nil
}

// setting is the value of current_setting('name') where the session has it.
func (b *binder) setting(function string, args []expr.Expr) (vector.Scalar, bool) {
	if b.env.Setting == nil || len(args) == 0 || !strings.EqualFold(function, "current_setting") {
		return vector.Scalar{}, false
	}
	name, ok := expr.TextLiteral(args[0])
	if !ok {
		return vector.Scalar{}, false
	}
	value, ok := b.env.Setting(name.Str)
	return vector.StringScalar(value), ok
}

// setListing is the rows of SET, of which there are none, or the error that says what cannot be
// set.
func setListing(ids *logical.IDs, s *ast.Set) (logical.Node, error) {
	for _, a := range s.Assignments {
		if err := setting.Set(a.Name, a.Value); err != nil {
			return nil, errs.At(a.Pos, a.End, err)
		}
	}
	return TextRows(ids, []string{"Success"}, nil), nil
}
