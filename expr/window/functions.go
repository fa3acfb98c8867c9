package window

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/aggregate"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// function is a window function that is no aggregate.
type function struct {
	kind        Kind
	least, most int // number of arguments
	bind        func(*Call) error
}

var functions = map[string]function{
	"ROW_NUMBER":   {kind: RowNumber, bind: number(vector.BigInt)},
	"RANK":         {kind: Rank, bind: number(vector.BigInt)},
	"DENSE_RANK":   {kind: DenseRank, bind: number(vector.BigInt)},
	"RANK_DENSE":   {kind: DenseRank, bind: number(vector.BigInt)},
	"PERCENT_RANK": {kind: PercentRank, bind: number(vector.Double)},
	"CUME_DIST":    {kind: CumeDist, bind: number(vector.Double)},
	"NTILE":        {kind: Ntile, least: 1, most: 1, bind: bindNtile},
	"LAG":          {kind: Lag, least: 1, most: 3, bind: bindShift},
	"LEAD":         {kind: Lead, least: 1, most: 3, bind: bindShift},
	"FIRST_VALUE":  {kind: FirstValue, least: 1, most: 1, bind: bindValue},
	"FIRST":        {kind: FirstValue, least: 1, most: 1, bind: bindValue},
	"ARBITRARY":    {kind: FirstValue, least: 1, most: 1, bind: bindValue},
	"LAST_VALUE":   {kind: LastValue, least: 1, most: 1, bind: bindValue},
	"LAST":         {kind: LastValue, least: 1, most: 1, bind: bindValue},
	"NTH_VALUE":    {kind: NthValue, least: 2, most: 2, bind: bindNth},
}

// Is reports whether name, in any case, is a function that can be called over a window.
func Is(name string) bool { return Only(name) || aggregate.Is(name) }

// Only reports whether name, in any case, is a function that can only be called over a
// window.
func Only(name string) bool {
	_, ok := functions[strings.ToUpper(name)]
	return ok && !aggregate.Is(name)
}

func wrongCount(name string, f function, n int) error {
	want := fmt.Sprint(f.least)
	if f.most > f.least {
		want += fmt.Sprint(" to ", f.most)
	}
	return fmt.Errorf("parquet: %s takes %s arguments, not %d", name, want, n)
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
		return fmt.Errorf("parquet: argument %d of %s is a whole number, not %s", i+1, c.name, t)
	}
	c.args[i], err = expr.NewCast(c.args[i], vector.Of(vector.BigInt), false)
	return err
}
