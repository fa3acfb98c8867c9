package text

import (
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// PathFunctions take the paths of files apart. The last argument says what separates their
// parts: 'both_slash', which is the default, 'forward_slash', 'backslash' or 'system'.
var PathFunctions = []expr.Function{
	{Name: "PARSE_FILENAME", Help: "the last part of a path, without its extension if the second argument is true", Example: "PARSE_FILENAME('path/to/file.csv', true) → file",
		Binding: define.Custom(fileName, "VARCHAR → VARCHAR", "VARCHAR, BOOLEAN | VARCHAR → VARCHAR", "VARCHAR, BOOLEAN, VARCHAR → VARCHAR")},
	{Name: "PARSE_DIRNAME", Help: "the first folder of a path", Example: "PARSE_DIRNAME('path/to/file.csv') → path",
		Binding: pathPart(firstFolder)},
	{Name: "PARSE_DIRPATH", Help: "the path without its last part", Example: "PARSE_DIRPATH('path/to/file.csv') → path/to",
		Binding: pathPart(folderPath)},
	{Name: "PARSE_PATH", Help: "the parts of a path", Example: "PARSE_PATH('/path/to/file.csv') → [\"/\",\"path\",\"to\",\"file.csv\"]",
		Binding: define.Custom(pathParts, "VARCHAR → LIST(VARCHAR)", "VARCHAR, VARCHAR → LIST(VARCHAR)")},
}

const bothSlashes = `/\`

// separatorsOf is the characters that a name stands for.
func separatorsOf(function, name string) (string, error) {
	switch name {
	case "both_slash":
		return bothSlashes, nil
	case "forward_slash", "system":
		return "/", nil
	case "backslash":
		return `\`, nil
	}
	return "", fmt.Errorf("%s: unknown separator %q; use both_slash, forward_slash, backslash or system", function, name)
}

// wantSeparators is an argument that names separators; a literal is checked at once.
var wantSeparators = define.Want{Types: "VARCHAR", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
	e, err := define.WantText.Bind(function, e)
	if err != nil {
		return nil, err
	}
	if s, ok := expr.TextLiteral(e); ok {
		_, err = separatorsOf(function, s.Str)
	}
	return e, err
}}

// fileName is PARSE_FILENAME(path [, trim] [, separator]).
func fileName(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	wantTrim := define.Want{Types: "BOOLEAN", Bind: func(function string, e expr.Expr) (expr.Expr, error) {
		return define.ImplicitCast(e, function, define.TypeBoolean, func(t vector.Type) bool { return t.Kind == vector.Boolean })
	}}
	switch last := args[len(args)-1]; {
	case len(args) == 1:
		return define.Fixed(define.TypeText, kernel.Map1(func(path string) string { return lastPart(path, bothSlashes) }), true, define.WantText).Bind(call, args)
	case len(args) == 2 && last.Type().Kind == vector.Boolean:
		return define.Fixed(define.TypeText, kernel.Map2(func(path string, trim bool) string { return withoutExtension(lastPart(path, bothSlashes), trim) }), true,
			define.WantText, wantTrim).Bind(call, args)
	case len(args) == 2:
		return separated(lastPart).Bind(call, args)
	}
	return define.Fixed(define.TypeText, kernel.Try3(func(path string, trim bool, name string) (string, kernel.Outcome) {
		separators, err := separatorsOf(call.Name, name)
		return withoutExtension(lastPart(path, separators), trim), kernel.Outcome{Err: err}
	}), true, define.WantText, wantTrim, wantSeparators).Bind(call, args)
}

func lastPart(path, separators string) string {
	return path[lastSeparator(path, separators)+1:]
}

// firstSeparator is where the first of one or two separators is, -1 if there is none.
func firstSeparator(path, separators string) int {
	a, b := separators[0], separators[len(separators)-1]
	for i := range len(path) {
		if c := path[i]; c == a || c == b {
			return i
		}
	}
	return -1
}

// lastSeparator is likewise the place of the last one.
func lastSeparator(path, separators string) int {
	a, b := separators[0], separators[len(separators)-1]
	for i := len(path) - 1; i >= 0; i-- {
		if c := path[i]; c == a || c == b {
			return i
		}
	}
	return -1
}

// withoutExtension is a name, without its extension if trim is set.
func withoutExtension(name string, trim bool) string {
	if dot := strings.LastIndexByte(name, '.'); trim && dot >= 0 {
		return name[:dot]
	}
	return name
}

// pathPart is a function of a path and, optionally, a separator.
func pathPart(f func(path, separators string) string) expr.Binding {
	plain := define.Fixed(define.TypeText, kernel.Map1(func(path string) string { return f(path, bothSlashes) }), true, define.WantText)
	return define.Overloaded(plain, separated(f))
}

// separated is a function of a path and the name of separators.
func separated(f func(path, separators string) string) expr.Binding {
	return expr.Binding{
		Signatures: []expr.Signature{{Args: []string{"VARCHAR", "VARCHAR"}, Result: "VARCHAR"}},
		Bind: func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
			return define.Fixed(define.TypeText, kernel.Try2(func(path, name string) (string, kernel.Outcome) {
				separators, err := separatorsOf(call.Name, name)
				return f(path, separators), kernel.Outcome{Err: err}
			}), true, define.WantText, wantSeparators).Bind(call, args)
		},
	}
}

func firstFolder(path, separators string) string {
	at := firstSeparator(path, separators)
	if at == 0 {
		return path[:1]
	}
	return path[:max(at, 0)]
}

func folderPath(path, separators string) string {
	at := lastSeparator(path, separators)
	if at == 0 && len(path) == 1 {
		return path
	}
	return path[:max(at, 0)]
}

// pathParts is the root of a path, if it begins with a separator, and its parts.
func pathParts(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	bound, err := define.Arguments(call, args, []define.Want{define.WantText, wantSeparators}[:len(args)])
	if err != nil {
		return nil, err
	}
	list := func(args []*vector.Vector) define.RowLists {
		paths, names := kernel.OperandOf[string](args[0]), kernel.Operand[string]{V: []string{"both_slash"}}
		if len(args) > 1 {
			names = kernel.OperandOf[string](args[1])
		}
		return func(i int32, parts *define.Texts) error {
			separators, err := separatorsOf(call.Name, names.At(i))
			if err != nil {
				return err
			}
			path := paths.At(i)
			if firstSeparator(path[:min(len(path), 1)], separators) == 0 {
				parts.Add(path[:1])
			}
			for path != "" {
				end := firstSeparator(path, separators)
				if end < 0 {
					end = len(path)
				}
				if end > 0 {
					parts.Add(path[:end])
				}
				path = path[min(end+1, len(path)):]
			}
			return nil
		}
	}
	return define.Strict(call, bound, define.TypeTexts, define.Lists(list), true)
}
