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
		Binding: define.Overloaded(define.Custom(fileName, "VARCHAR → VARCHAR", "VARCHAR, BOOLEAN | 'separators' → VARCHAR"), define.Custom(fileName, "VARCHAR, BOOLEAN, 'separators' → VARCHAR"))},
	{Name: "PARSE_DIRNAME", Help: "the first folder of a path", Example: "PARSE_DIRNAME('path/to/file.csv') → path",
		Binding: pathPart(firstFolder)},
	{Name: "PARSE_DIRPATH", Help: "the path without its last part", Example: "PARSE_DIRPATH('path/to/file.csv') → path/to",
		Binding: pathPart(folderPath)},
	{Name: "PARSE_PATH", Help: "the parts of a path", Example: "PARSE_PATH('/path/to/file.csv') → [\"/\",\"path\",\"to\",\"file.csv\"]",
		Binding: define.Custom(pathParts, "VARCHAR → LIST(VARCHAR)", "VARCHAR, 'separators' → LIST(VARCHAR)")},
}

var pathSeparators = map[string]string{"both_slash": `/\`, "forward_slash": "/", "backslash": `\`, "system": "/"}

// separatorsOf takes the argument with the name of the separators off, if there is one.
func separatorsOf(call expr.Callee, args []expr.Expr, at int) (separators string, rest []expr.Expr, err error) {
	if at >= len(args) {
		return pathSeparators["both_slash"], args, nil
	}
	name, err := define.ConstantText(call.Name, "separator", args[at])
	if err != nil {
		return "", nil, err
	}
	separators, ok := pathSeparators[name]
	if !ok {
		return "", nil, fmt.Errorf("%s: unknown separator %q; use both_slash, forward_slash, backslash or system", call.Name, name)
	}
	return separators, args[:at], nil
}

// fileName is PARSE_FILENAME(path [, trim] [, separator]).
func fileName(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	at := len(args) - 1
	if at == 0 || at == 1 && args[1].Type().Kind == vector.Boolean {
		at++
	}
	separators, rest, err := separatorsOf(call, args, at)
	if err != nil {
		return nil, err
	}
	bound := append([]expr.Expr(nil), args...)
	if bound[0], err = define.WantText.Bind(call.Name, args[0]); err != nil {
		return nil, err
	}
	last := func(path string) string { return path[strings.LastIndexAny(path, separators)+1:] }
	impl := &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Make: kernel.Map1(last), Careful: true}}
	if len(rest) == 2 {
		if bound[1], err = expr.ImplicitCast(args[1], define.TypeBoolean); err != nil {
			return nil, err
		}
		impl.Args, impl.Make = bound[:2], kernel.Map2(func(path string, trim bool) string {
			name := last(path)
			if dot := strings.LastIndexByte(name, '.'); trim && dot >= 0 {
				return name[:dot]
			}
			return name
		})
	}
	return expr.NewCall(call, bound, define.TypeText, impl), nil
}

// pathPart is a function of a path and, optionally, a separator.
func pathPart(f func(path, separators string) string) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		separators, _, err := separatorsOf(call, args, 1)
		if err != nil {
			return nil, err
		}
		bound := append([]expr.Expr(nil), args...)
		if bound[0], err = define.WantText.Bind(call.Name, args[0]); err != nil {
			return nil, err
		}
		part := kernel.Map1(func(path string) string { return f(path, separators) })
		return expr.NewCall(call, bound, define.TypeText, &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Make: part, Careful: true}}), nil
	}, "VARCHAR → VARCHAR", "VARCHAR, 'separators' → VARCHAR")
}

func firstFolder(path, separators string) string {
	at := strings.IndexAny(path, separators)
	if at == 0 {
		return path[:1]
	}
	return path[:max(at, 0)]
}

func folderPath(path, separators string) string {
	at := strings.LastIndexAny(path, separators)
	if at == 0 && len(path) == 1 {
		return path
	}
	return path[:max(at, 0)]
}

// pathParts is the root of a path, if it begins with a separator, and its parts.
func pathParts(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
	separators, _, err := separatorsOf(call, args, 1)
	if err != nil {
		return nil, err
	}
	bound := append([]expr.Expr(nil), args...)
	if bound[0], err = define.WantText.Bind(call.Name, args[0]); err != nil {
		return nil, err
	}
	list := func(args []*vector.Vector) define.RowLists {
		paths := kernel.OperandOf[string](args[0])
		return func(i int32, parts *define.Texts) error {
			path := paths.At(i)
			if path != "" && strings.IndexAny(path[:1], separators) == 0 {
				parts.Add(path[:1])
			}
			for part := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
				parts.Add(part)
			}
			return nil
		}
	}
	return expr.NewCall(call, bound, define.TypeTexts, &expr.Routine{Args: bound[:1], Operation: kernel.Operation{Make: define.Lists(list), Careful: true}}), nil
}
