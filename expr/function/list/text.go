package list

import (
	"fmt"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// TextFunctions make texts of LISTs, and repeat LISTs.
var TextFunctions = []expr.Function{
	{Name: "ARRAY_TO_STRING", Aliases: []string{"LIST_TO_STRING"}, Help: "the elements as one text with a separator between them; NULLs are left out", Example: "ARRAY_TO_STRING([1, NULL, 2], '-') → 1-2",
		Binding: define.Custom(toText, "LIST(T), VARCHAR → VARCHAR")},
	{Name: "ARRAY_TO_STRING_COMMA_DEFAULT", Help: "the elements as one text with a comma, or another separator, between them; NULLs are left out", Example: "ARRAY_TO_STRING_COMMA_DEFAULT([1, 2]) → 1,2",
		Binding: define.Overloaded(
			define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
				return toText(call, []expr.Expr{args[0], expr.NewConst(vector.StringScalar(","))})
			}, "LIST(T) → VARCHAR"),
			define.Custom(toText, "LIST(T), VARCHAR → VARCHAR"))},
}

// Repeat is a LIST several times.
var Repeat = define.Custom(repeat, "LIST(T), BIGINT → LIST(T)")

// toText joins the elements as texts, with a comma where the separator is NULL, as for
// STRING_AGG. A LIST of NULLs is NULL, a LIST without elements is the empty text.
func toText(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantList(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	if x, err = expr.ImplicitCast(x, expr.ListType(define.TypeText)); err != nil {
		return nil, err
	}
	separator, err := define.WantText.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	if c, ok := separator.(*expr.Const); ok && c.Value.Null {
		separator = expr.NewConst(vector.StringScalar(","))
	}
	return define.Strict(call, []expr.Expr{x, separator}, define.TypeText, func() kernel.Func {
		texts := &kernel.TextBuffer{}
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			lists := kernel.ListsOf(args[0])
			return texts.Fill(rows, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
				none, between := lists.At(i).Len() > 0, kernel.Cell[string](args[1], i)
				if r := lists.At(i); lists.Elements.Form == vector.Flat && !lists.Elements.MayHaveNulls() {
					dst, err := joinAll(texts, dst, lists.Elements.Str[r.From:r.To], between)
					return dst, kernel.Outcome{Err: err}
				}
				for r, e := lists.At(i), lists.At(i).From; e < r.To; e++ {
					if lists.Elements.IsNull(int(e)) {
						continue
					}
					text := kernel.Cell[string](lists.Elements, e)
					var err error
					if dst, err = texts.Need(dst, len(between)+len(text)); err != nil {
						return dst, kernel.Outcome{Err: err}
					}
					if !none {
						dst = append(dst, between...)
					}
					none = false
					dst = append(dst, text...)
				}
				return dst, kernel.Outcome{Null: none}
			})
		}
	}, true)
}

// joinAll appends texts, none of which is NULL, with a separator between them.
func joinAll(to *kernel.TextBuffer, dst []byte, list []string, between string) ([]byte, error) {
	need := max(len(list)-1, 0) * len(between)
	for _, s := range list {
		if need += len(s); need > quota.MaxValueText {
			break
		}
	}
	dst, err := to.Need(dst, need)
	if err != nil {
		return dst, err
	}
	for first := true; len(list) > 0; first = false {
		some := list[:min(len(list), joinedAtOnce)]
		list = list[len(some):]
		if len(list) > 0 || !first {
			vector.Touch(some) // those of a group lie apart
		}
		start := len(dst)
		for i, s := range some {
			if i > 0 || !first {
				dst = append(dst, between...)
			}
			dst = append(dst, s...)
		}
		if err := to.Work(len(dst) - start + len(some)); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// joinedAtOnce is how many texts are read before they are written.
const joinedAtOnce = 64

func repeat(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	x, err := wantList(call.Name, args[0])
	if err != nil {
		return nil, err
	}
	times, err := define.WantInt.Bind(call.Name, args[1])
	if err != nil {
		return nil, err
	}
	return define.Strict(call, []expr.Expr{x, times}, x.Type(), func() kernel.Func {
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			lists, b := kernel.ListsOf(args[0]), kernel.NewListBuilder(out)
			for _, i := range kernel.Listed(rows, n) {
				b.Start(i)
				r, k := lists.At(i), max(kernel.Cell[int64](args[1], i), 0)
				if r.Len() == 0 {
					continue
				}
				if err := b.Need(int64(kernel.Times(int(r.Len()), k))); err != nil {
					return fmt.Errorf("%s: %w", call.Name, err)
				}
				for range k {
					b.AddRange(0, r)
				}
			}
			return b.Finish(lists.Elements)
		}
	}, true)
}
