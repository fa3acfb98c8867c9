package expr

import (
	"strings"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/expr/internal/substring"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// Conditions that search one text for several words, x LIKE '%a%' OR x LIKE '%b%' OR CONTAINS(x, 'c') or all of them negated
// and joined by AND, read the text once for all.

// word is what a condition searches x for.
type word struct {
	x    Expr
	text string
	fold substring.Fold
}

// wordOf returns the word of a condition that asks, or with not denies, that a text contains it.
func wordOf(e Expr, not bool) (w word, ok bool) {
	switch e := e.(type) {
	case *Like:
		p, constant := Literal(e.Pattern)
		if n := len(p.Str); !constant || e.Not != not || e.Escape != nil || n < 2 || p.Str[0] != '%' || p.Str[n-1] != '%' {
			return word{}, false
		}
		w = word{x: e.X, text: p.Str[1 : len(p.Str)-1]}
		if strings.ContainsAny(w.text, "%_") {
			return word{}, false
		}
		if c, call := e.X.(*Call); call && c.impl.Letters.All != nil && c.impl.Letters.Fold == substring.Lower && !e.Insensitive {
			w.x, w.fold = c.impl.Args[0], substring.Lower
		}
		if e.Insensitive {
			w.text, w.fold = substring.ToLower(w.text), substring.Lower
		}
	case *Not:
		if !not {
			return word{}, false
		}
		return wordOf(e.X, false)
	case *Call:
		if not || !e.impl.Within {
			return word{}, false
		}
		p, constant := Literal(e.impl.Args[1])
		if !constant {
			return word{}, false
		}
		w = word{x: e.impl.Args[0], text: p.Str}
	}
	return w, len(w.text) >= substring.MinSetWord && w.fold.Reach(w.text) != substring.Nowhere
}

// manyWords is how many words are searched for at once. Fewer are found as fast one by one.
const manyWords = 3

// manySearches is how many texts are looked for among the operands.
const manySearches = 64

// search is a condition that stands for several, of which it has the first.
type search struct {
	Expr
	x     Expr
	words []string
	fold  substring.Fold
	not   bool
}

// searches brings together, at the place of the first, the operands of OR that search one text for words, and those of AND that deny
// that it has them. join makes one condition of them.
func searches(args []Expr, or bool, join func(s *search, of []Expr) Expr) []Expr {
	if len(args) < manyWords {
		return args
	}
	var groups []*search
	var members [][]Expr
	number := make([]int, len(args)) // of the group and 1
	for i, e := range args {
		w, ok := wordOf(e, !or)
		if !ok {
			continue
		}
		for k, s := range groups {
			if s.fold == w.fold && Equal(s.x, w.x) {
				number[i] = k + 1
			}
		}
		if number[i] == 0 {
			if len(groups) == manySearches {
				continue
			}
			groups, members = append(groups, &search{Expr: e, x: w.x, fold: w.fold, not: !or}), append(members, nil)
			number[i] = len(groups)
		}
		k := number[i] - 1
		groups[k].words, members[k] = append(groups[k].words, w.text), append(members[k], e)
	}
	var out []Expr
	for i, e := range args {
		k := number[i] - 1
		switch {
		case k < 0 || len(members[k]) < manyWords:
			out = append(out, e)
		case e == groups[k].Expr:
			out = append(out, join(groups[k], members[k]))
		}
	}
	return out
}

// operands are the operands as they are evaluated.
func (e *Logic) operands() []Expr {
	return searches(e.Args, e.Or, func(s *search, _ []Expr) Expr { return s })
}

func (s *search) compile(by *Compiler) kernel.Node {
	set, whole := substring.NewSet(s.words, s.fold), substring.Everywhere
	for _, w := range s.words {
		whole = min(whole, s.fold.Reach(w))
	}
	return by.Strict(s.Type(), []Expr{s.x}, func(args []kernel.Node) kernel.Node {
		return kernel.NewLongCondition(args, func(m *quota.Meter, args []*vector.Vector, rows []int32, n int, into []int32) ([]int32, error) {
			x, k := kernel.OperandOf[string](args[0]), 0
			for _, i := range kernel.Listed(rows, n) {
				text := x.At(i)
				if whole != substring.Everywhere && !substring.ASCII(text) {
					var err error
					if text, err = kernel.ByPieces(m, text, substring.ToLower); err != nil {
						return nil, err
					}
				}
				if len(text) > quota.OwnText {
					if err := m.Work(len(text)); err != nil {
						return nil, err
					}
				}
				if into[k] = i; set.Within(text) != s.not {
					k++
				}
			}
			return into[:k], nil
		})
	})
}
