package function

import (
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/internal/signaturetest"
	"github.com/parquetsql/parquetsql/vector"
)

// TestSignatures checks that each name of a function accepts the arguments that its
// signatures list, and that the result has the listed type.
func TestSignatures(t *testing.T) {
	for _, family := range families {
		for _, f := range family.Functions {
			if f.Named != nil || f.Lambda != nil {
				continue
			}
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				signaturetest.Check(t, name, f.Signatures, func(args []expr.Expr) (vector.Type, error) {
					e, err := New(name, args)
					if err != nil {
						return vector.Type{}, err
					}
					return e.Type(), nil
				})
			}
		}
	}
}

// TestWrongCount checks that a call with a wrong number of arguments is an error that
// shows the signatures.
func TestWrongCount(t *testing.T) {
	x := expr.NewColumn(0, "x", vector.Of(vector.Varchar))
	for _, c := range []struct {
		name string
		args int
		want string
	}{
		{"lpad", 2, "LPAD does not take 2 arguments; use LPAD(VARCHAR, BIGINT, VARCHAR) → VARCHAR"},
		{"pi", 1, "PI does not take 1 argument; use PI() → DOUBLE"},
		{"greatest", 0, "GREATEST does not take 0 arguments; use GREATEST(T, ...) → T"},
		{"concat_ws", 1, "CONCAT_WS does not take 1 argument; use CONCAT_WS(VARCHAR, VARCHAR, ...) → VARCHAR"},
		{"make_date", 2, "MAKE_DATE does not take 2 arguments; use MAKE_DATE(BIGINT) → DATE or MAKE_DATE(BIGINT, BIGINT, BIGINT) → DATE"},
	} {
		args := []expr.Expr{x, x, x}[:c.args]
		if _, err := New(c.name, args); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, family := range families {
		for _, f := range family.Functions {
			for n := range 8 {
				list := make([]expr.Expr, n)
				for i := range list {
					list[i] = x
				}
				_, _ = New(f.Name, list) // must not panic
			}
		}
	}
}

// TestWrongType checks that an argument of a wrong type is an error that shows the
// signatures.
func TestWrongType(t *testing.T) {
	day, n := expr.NewColumn(0, "d", vector.Of(vector.Date)), expr.NewColumn(1, "n", vector.Of(vector.BigInt))
	for _, c := range []struct {
		name string
		args []expr.Expr
		want string
	}{
		{"to_base", []expr.Expr{day, n}, "TO_BASE does not take DATE here; use a CAST to BIGINT; it is TO_BASE(BIGINT, BIGINT) → VARCHAR or TO_BASE(BIGINT, BIGINT, BIGINT) → VARCHAR"},
		{"gamma", []expr.Expr{day}, "GAMMA does not take DATE here; use a CAST to DOUBLE; it is GAMMA(DOUBLE) → DOUBLE"},
	} {
		if _, err := New(c.name, c.args); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
