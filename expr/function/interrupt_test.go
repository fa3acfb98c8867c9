package function

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// countdown is a context that is cancelled when it is looked at for the n-th time.
type countdown struct {
	context.Context
	left, looks int
}

func (c *countdown) Err() error {
	if c.looks++; c.looks >= c.left {
		return context.Canceled
	}
	return nil
}

// TestInterrupted: a function of one long value looks at the context often, and ends as
// soon as it is done: what it does after that is no more than between two looks.
func TestInterrupted(t *testing.T) {
	text := vector.StringScalar(strings.Repeat("a bé,", 400_000)) // 2.4 MB
	numbers := make([]int64, 1<<17)
	for i := range numbers {
		numbers[i] = int64(i) * 7919 % (1 << 17)
	}
	list := vector.Scalar{Type: vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.BigInt), Nullable: true})}
	list.Nested = &vector.Vector{Type: list.Type, Len: 1, Offsets: []int32{0, int32(len(numbers))},
		Children: []*vector.Vector{{Type: vector.Of(vector.BigInt), Len: len(numbers), I64: numbers}}}
	str := func(s string) expr.Expr { return expr.NewConst(vector.StringScalar(s)) }
	cases := []struct {
		name  string
		value vector.Scalar
		args  []expr.Expr
	}{
		{"UPPER", text, nil},
		{"LOWER", text, nil},
		{"INITCAP", text, nil},
		{"REVERSE", text, nil},
		{"TRIM", text, []expr.Expr{str("a é,b")}},
		{"LTRIM", vector.StringScalar(strings.Repeat(" ", 2_400_000)), nil},
		{"RTRIM", vector.StringScalar(strings.Repeat(" ", 2_400_000)), nil},
		{"STRIP_ACCENTS", text, nil},
		{"NFC_NORMALIZE", text, nil},
		{"LENGTH", text, nil},
		{"LENGTH_GRAPHEME", text, nil},
		{"REPLACE", text, []expr.Expr{str("b"), str("c")}},
		{"TRANSLATE", text, []expr.Expr{str("b"), str("c")}},
		{"REGEXP_REPLACE", text, []expr.Expr{str("[b-d]"), str("x"), str("g")}},
		{"REGEXP_REPLACE", text, []expr.Expr{str("[b-d]+é*$"), str("x")}},
		{"REGEXP_MATCHES", text, []expr.Expr{str("[^b]b+[^a-z]*z$")}},
		{"REGEXP_EXTRACT", text, []expr.Expr{str("[^b]b+z")}},
		{"REGEXP_EXTRACT_ALL", text, []expr.Expr{str(".b")}},
		{"STRING_SPLIT_REGEX", text, []expr.Expr{str("[,;]")}},
		{"STRING_SPLIT", text, []expr.Expr{str(",")}},
		{"STRING_SPLIT", text, []expr.Expr{str("")}},
		{"LEVENSHTEIN", vector.StringScalar(text.Str[:3000]), []expr.Expr{str(text.Str[1000:4000])}},
		{"JARO_SIMILARITY", vector.StringScalar(text.Str[:3000]), []expr.Expr{str(text.Str[1000:4000])}},
		{"MD5", text, nil},
		{"SHA256", text, nil},
		{"BASE64", text, nil},
		{"LIST_SORT", list, nil},
		{"LIST_DISTINCT", list, nil},
		{"LIST_INTERSECT", list, []expr.Expr{expr.NewConst(list)}},
		{"LIST_AGGREGATE", list, []expr.Expr{str("mode")}},
		{"LIST_AGGREGATE", list, []expr.Expr{str("string_agg"), str(",")}},
	}
	for _, c := range cases {
		call, err := New(c.name, append([]expr.Expr{expr.NewColumn(0, "x", c.value.Type)}, c.args...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		all := &countdown{Context: context.Background(), left: 1 << 30}
		if err := evaluateOne(all, call, c.value); err != nil || all.looks < 2 {
			t.Errorf("%s looks at the context %d times, %v", c.name, all.looks, err)
		}
		// The loops around the one that has seen it look too.
		const around = 3
		at := 1 + all.looks/2
		some := &countdown{Context: context.Background(), left: at}
		if err := evaluateOne(some, call, c.value); !errors.Is(err, context.Canceled) || some.looks > at+around {
			t.Errorf("%s, cancelled at look %d of %d: %d looks, %v", c.name, at, all.looks, some.looks, err)
		}
	}
}

func evaluateOne(ctx context.Context, e expr.Expr, value vector.Scalar) error {
	ev := expr.NewEvaluator(e)
	ev.Meter = expr.NewMeter(ctx, nil)
	ev.Meter.Start(1)
	column := vector.New(value.Type, 0)
	if err := column.FromScalars(value.Type, []vector.Scalar{value}); err != nil {
		return err
	}
	_, err := ev.Eval(&vector.Batch{Len: 1, Cols: []*vector.Vector{column}})
	return err
}
