package function

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/internal/quota"
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
	row := `{"a": [1, 2, {"b": "text"}], "c": null}, `
	document := vector.StringScalar("[" + strings.Repeat(row, 100_000) + "0]") // 4 MB
	var keys strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&keys, `"k%d": %d, `, i, i)
	}
	members := vector.StringScalar("{" + keys.String() + `"last": 1}`)
	list := vector.Scalar{Type: vector.ListOf(vector.Field{Name: "element", Type: vector.Of(vector.BigInt), Nullable: true})}
	list.Nested = &vector.Vector{Type: list.Type, Len: 1, Offsets: []int32{0, int32(len(numbers))},
		Children: []*vector.Vector{{Type: vector.Of(vector.BigInt), Len: len(numbers), I64: numbers}}}
	num := func(n int64) expr.Expr { return expr.NewConst(vector.IntScalar(n)) }
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
		{"GLOB", text, []expr.Expr{str("*b*[x-z]*é?q")}},
		{"CONTAINS", vector.StringScalar(strings.Repeat(text.Str, 8)), []expr.Expr{str("b éb!")}},
		{"REGEXP_EXTRACT", text, []expr.Expr{str("[^b]b+z")}},
		{"REGEXP_EXTRACT_ALL", text, []expr.Expr{str(".b")}},
		{"STRING_SPLIT_REGEX", text, []expr.Expr{str("[,;]")}},
		{"STRING_SPLIT", text, []expr.Expr{str(",")}},
		{"STRING_SPLIT", text, []expr.Expr{str("")}},
		{"LEVENSHTEIN", vector.StringScalar(text.Str[:3000]), []expr.Expr{str(text.Str[1000:4000])}},
		{"JARO_SIMILARITY", vector.StringScalar(text.Str[:3000]), []expr.Expr{str(text.Str[1000:4000])}},
		{"SUBSTRING", text, []expr.Expr{num(2), num(1_500_000)}},
		{"SUBSTRING", text, []expr.Expr{num(-1_500_000)}},
		{"SUBSTRING_GRAPHEME", text, []expr.Expr{num(2), num(1_500_000)}},
		{"LEFT", text, []expr.Expr{num(-1000)}},
		{"RIGHT", text, []expr.Expr{num(1_500_000)}},
		{"LPAD", text, []expr.Expr{num(4_000_000), str("ab")}},
		{"RPAD", text, []expr.Expr{num(4_000_000), str("ab")}},
		{"REPEAT", text, []expr.Expr{num(10)}},
		{"SPLIT_PART", text, []expr.Expr{str(","), num(-1)}},
		{"MD5", text, nil},
		{"SHA256", text, nil},
		{"BASE64", text, nil},
		{"HEX", text, nil},
		{"URL_ENCODE", text, nil},
		{"BIN", text, nil},
		{"UNHEX", vector.StringScalar(strings.Repeat("0a", 400_000)), nil},
		{"JSON_STRUCTURE", document, nil},
		{"JSON_TRANSFORM", document, []expr.Expr{str(`["JSON"]`)}},
		{"->", document, []expr.Expr{str("$[*].c")}},
		{"JSON_VALID", document, nil},
		{"JSON_PRETTY", document, nil},
		{"JSON", document, nil},
		{"JSON_ARRAY_LENGTH", document, nil},
		{"->", document, []expr.Expr{str("$[99999].c")}},
		{"JSON_EXISTS", document, []expr.Expr{str("$[99999].c")}},
		{"JSON_CONTAINS", document, []expr.Expr{str("[3]")}},
		{"JSON_MERGE_PATCH", members, []expr.Expr{expr.NewConst(members)}},
		{"LIST_SORT", list, nil},
		{"LIST_DISTINCT", list, nil},
		{"LIST_INTERSECT", list, []expr.Expr{expr.NewConst(list)}},
		{"LIST_POSITION", list, []expr.Expr{expr.NewConst(vector.IntScalar(-1))}},
		{"LIST_RESIZE", list, []expr.Expr{expr.NewConst(vector.IntScalar(1 << 20))}},
		{"LIST_AGGREGATE", list, []expr.Expr{str("mode")}},
		{"LIST_AGGREGATE", list, []expr.Expr{str("string_agg"), str(",")}},
	}
	for _, c := range cases {
		call, err := New(c.name, append([]expr.Expr{expr.NewColumn(0, "x", c.value.Type)}, c.args...))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		interrupted(t, c.name, call, c.value)
	}
	for name, format := range map[string]string{"FORMAT": "{} {}", "PRINTF": "%s %s"} {
		x := expr.NewColumn(0, "x", text.Type)
		call, err := New(name, []expr.Expr{str(format), x, x})
		if err != nil {
			t.Fatal(err)
		}
		interrupted(t, name, call, text)
	}
	document = vector.Scalar{Type: vector.Of(vector.JSON), Str: "[" + strings.Repeat(document.Str+",", 2) + "0]"}
	cast, err := expr.NewCast(expr.NewColumn(0, "x", document.Type), vector.VariantType(), false)
	if err != nil {
		t.Fatal(err)
	}
	interrupted(t, "CAST", cast, document)
	if cast, err = expr.NewCast(expr.NewColumn(0, "x", list.Type), vector.Of(vector.Varchar), false); err != nil {
		t.Fatal(err)
	}
	interrupted(t, "CAST of a LIST", cast, list)
}

// interrupted evaluates an expression of one value, and again with a context that ends.
func interrupted(t *testing.T, name string, e expr.Expr, value vector.Scalar) {
	t.Helper()
	all := &countdown{Context: context.Background(), left: 1 << 30}
	if err := evaluateOne(all, nil, e, value); err != nil || all.looks < 2 {
		t.Errorf("%s looks at the context %d times, %v", name, all.looks, err)
	}
	// The loops around the one that has seen it look too.
	const around = 3
	at := 1 + all.looks/2
	some := &countdown{Context: context.Background(), left: at}
	if err := evaluateOne(some, nil, e, value); !errors.Is(err, context.Canceled) || some.looks > at+around {
		t.Errorf("%s, cancelled at look %d of %d: %d looks, %v", name, at, all.looks, some.looks, err)
	}
}

// TestParsedDocument: the tree of a JSON document is charged, which is larger than its text,
// and the error names the function.
func TestParsedDocument(t *testing.T) {
	document := vector.StringScalar(`{"a":[` + strings.Repeat("1,", 100_000) + "0]}") // 0.2 MB; an array alone is read by elements
	call, err := New("JSON_STRUCTURE", []expr.Expr{expr.NewColumn(0, "x", document.Type)})
	if err != nil {
		t.Fatal(err)
	}
	if err := evaluateOne(context.Background(), quota.New(64<<20), call, document); err != nil {
		t.Error(err)
	}
	if err := evaluateOne(context.Background(), quota.New(4<<20), call, document); !errors.Is(err, errs.ErrMemoryLimit) || !strings.HasPrefix(err.Error(), "JSON_STRUCTURE: ") {
		t.Errorf("at 4 MiB: %v, want the error of the memory limit with the function's name", err)
	}
}

// TestPatchedDocument: a patch that has one key many times repeats the value; what that needs is charged as it grows.
func TestPatchedDocument(t *testing.T) {
	var members []string
	for i := range 2000 {
		members = append(members, fmt.Sprintf(`"k%d":1`, i))
	}
	value := vector.StringScalar(`{"a":{` + strings.Join(members, ",") + `}}`) // 20 KB
	patch := vector.StringScalar("{" + strings.Repeat(`"a":{},`, 2000) + `"a":{}}`)
	call, err := New("JSON_MERGE_PATCH", []expr.Expr{expr.NewColumn(0, "x", value.Type), expr.NewConst(patch)})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = evaluateOne(context.Background(), quota.New(16<<20), call, value)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, errs.ErrMemoryLimit) || made > 64<<20 {
		t.Errorf("%v, and %d MiB were made", err, made>>20)
	}
}

func evaluateOne(ctx context.Context, budget *quota.Budget, e expr.Expr, value vector.Scalar) error {
	ev := expr.NewEvaluator(e)
	ev.Meter = quota.NewMeter(ctx, budget)
	ev.Meter.Start(1)
	column := vector.New(value.Type, 0)
	if err := column.FromScalars(value.Type, []vector.Scalar{value}); err != nil {
		return err
	}
	_, err := ev.Eval(&vector.Batch{Len: 1, Cols: []*vector.Vector{column}})
	return err
}
