package window

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// Function describes a window function that is no aggregate.
type Function struct {
	Name       string
	Aliases    []string
	Signatures []expr.Signature

	// Help and Example are as in aggregate.Function.
	Help    string
	Example string

	kind Kind
	bind func(*Call) error
}

// table lists the window functions.
var table = []Function{
	{Name: "ROW_NUMBER", Help: "the number of the row in its partition, from 1", Example: "ROW_NUMBER() OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → 1, 2",
		Signatures: expr.NewSignatures("→ BIGINT"), kind: RowNumber, bind: number(vector.BigInt)},
	{Name: "RANK", Help: "one more than the number of rows before the row's peers", Example: "RANK() OVER (ORDER BY x) FROM (VALUES (7), (7), (9)) t(x) → 1, 1, 3",
		Signatures: expr.NewSignatures("→ BIGINT"), kind: Rank, bind: number(vector.BigInt)},
	{Name: "DENSE_RANK", Aliases: []string{"RANK_DENSE"}, Help: "the number of the row's group of peers, from 1", Example: "DENSE_RANK() OVER (ORDER BY x) FROM (VALUES (7), (7), (9)) t(x) → 1, 1, 2",
		Signatures: expr.NewSignatures("→ BIGINT"), kind: DenseRank, bind: number(vector.BigInt)},
	{Name: "PERCENT_RANK", Help: "the rank from 0 to 1: (RANK() - 1) / (rows - 1)", Example: "PERCENT_RANK() OVER (ORDER BY x) FROM (VALUES (7), (8), (9)) t(x) → 0.0, 0.5, 1.0",
		Signatures: expr.NewSignatures("→ DOUBLE"), kind: PercentRank, bind: number(vector.Double)},
	{Name: "CUME_DIST", Help: "the fraction of the rows that come before the row or are its peers", Example: "CUME_DIST() OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → 0.5, 1.0",
		Signatures: expr.NewSignatures("→ DOUBLE"), kind: CumeDist, bind: number(vector.Double)},
	{Name: "NTILE", Help: "the number of the part, from 1, of a division into as many parts of about the same size", Example: "NTILE(2) OVER (ORDER BY x) FROM (VALUES (7), (8), (9)) t(x) → 1, 1, 2",
		Signatures: expr.NewSignatures("BIGINT → BIGINT"), kind: Ntile, bind: bindNtile},
	{Name: "LAG", Help: "the value of the row that is a distance before, 1 by default, or a default", Example: "LAG(x) OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → NULL, 7",
		Signatures: expr.NewSignatures("T → T", "T, BIGINT → T", "T, BIGINT, T → T"), kind: Lag, bind: bindShift},
	{Name: "LEAD", Help: "the value of the row that is a distance behind, 1 by default, or a default", Example: "LEAD(x, 1, 0) OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → 9, 0",
		Signatures: expr.NewSignatures("T → T", "T, BIGINT → T", "T, BIGINT, T → T"), kind: Lead, bind: bindShift},
	{Name: "FILL", Help: "the value, or in place of a NULL one on the line through the values before and behind it; the key of ORDER BY says how far away these are", Example: "FILL(y) OVER (ORDER BY x) FROM (VALUES (1, 5), (2, NULL), (4, 11)) t(x, y) → 5, 7, 11",
		Signatures: expr.NewSignatures("T → T"), kind: Fill, bind: bindFill},
	{Name: "FIRST_VALUE", Aliases: []string{"FIRST", "ARBITRARY"}, Help: "the value of the frame's first row", Example: "FIRST_VALUE(x) OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → 7, 7",
		Signatures: expr.NewSignatures("T → T"), kind: FirstValue, bind: bindValue},
	{Name: "LAST_VALUE", Aliases: []string{"LAST"}, Help: "the value of the frame's last row", Example: "LAST_VALUE(x) OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → 7, 9",
		Signatures: expr.NewSignatures("T → T"), kind: LastValue, bind: bindValue},
	{Name: "NTH_VALUE", Help: "the value of a row of the frame by its number, from 1", Example: "NTH_VALUE(x, 2) OVER (ORDER BY x) FROM (VALUES (7), (9)) t(x) → NULL, 9",
		Signatures: expr.NewSignatures("T, BIGINT → T"), kind: NthValue, bind: bindNth},
}

// functions are the window functions by all their names.
var functions = map[string]*Function{}

func init() {
	for i := range table {
		f := &table[i]
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			functions[name] = f
		}
	}
}

// Functions are the functions that can only be called over a window, as documents list
// them.
func Functions() []Function { return slices.Clone(table) }

// Is reports whether name, in any case, is a function that can be called over a window.
func Is(name string) bool { return Only(name) || aggregate.Is(name) }

// Only reports whether name, in any case, is a function that can only be called over a
// window.
func Only(name string) bool {
	_, ok := functions[strings.ToUpper(name)]
	return ok && !aggregate.Is(name)
}

func unsupportedOrder(name string) error {
	return errs.Unsupported("ORDER BY inside the parentheses of the window function %s; put it into OVER (…)", name)
}

// number is the binder of a function without arguments.
func number(k vector.Kind) func(*Call) error {
	return func(c *Call) error {
		c.typ = vector.Of(k)
		return nil
	}
}

func bindNtile(c *Call) error {
	c.typ = vector.Of(vector.BigInt)
	return c.whole(0)
}

func bindValue(c *Call) error {
	c.typ = c.args[0].Type()
	return nil
}

func bindFill(c *Call) error {
	if c.typ = c.args[0].Type(); !Linear(c.typ) {
		return fmt.Errorf("%s takes numbers, dates and times, not %s", c.name, c.typ)
	}
	return nil
}

// Linear reports whether values of a type lie on a line, so that FILL can find others on it. It does
// not compute with decimals of more than 38 digits.
func Linear(t vector.Type) bool {
	return t.IsNumeric() && t.Kind != vector.Half && t.Storage() != vector.StoreString || t.IsTimestamp() || t.Kind == vector.Date || t.Kind == vector.Time
}

func bindNth(c *Call) error {
	c.typ = c.args[0].Type()
	return c.whole(1)
}

// bindShift casts the distance to BIGINT and the default to the type of the value, unless
// that has none.
func bindShift(c *Call) error {
	c.typ = c.args[0].Type()
	if len(c.args) > 1 {
		if err := c.whole(1); err != nil {
			return err
		}
	}
	if len(c.args) < 3 {
		return nil
	}
	if c.typ.IsNested() { // fields of the value may be NULLs without a type
		both, t, err := expr.CommonExprs([]expr.Expr{c.args[0], c.args[2]})
		if err == nil {
			c.typ, c.args[0], c.args[2] = t, both[0], both[1]
		}
		return err
	}
	cast := &c.args[2]
	if c.typ.Kind == vector.Null {
		c.typ, cast = c.args[2].Type(), &c.args[0]
	}
	var err error
	*cast, err = expr.NewCast(*cast, c.typ, false)
	return err
}

// whole casts argument i to BIGINT.
func (c *Call) whole(i int) (err error) {
	if t := c.args[i].Type(); !t.IsInteger() && t.Kind != vector.Null {
		return expr.Marked(c.args[i], fmt.Errorf("argument %d of %s is a whole number, not %s", i+1, c.name, t))
	}
	c.args[i], err = expr.NewCast(c.args[i], vector.Of(vector.BigInt), false)
	return err
}
