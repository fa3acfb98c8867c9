package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

// Signature is one list of arguments that a function takes, and the result's type.
//
// An argument is the name of the type that it is cast to, one of several types
// (DATE | TIMESTAMP), a string literal ('part'), or a literal of a type (INTERVAL
// literal). "number" and "integer" stand for any type of that kind, "any" for any
// type. T, K and V stand for any type too, but the same one throughout the signature.
// A string literal and NULL fit every argument.
type Signature struct {
	Args     []string
	Variadic bool   // the last argument may be repeated
	Result   string // a type, "number" or "integer"
}

// String is the signature as in (VARCHAR, BIGINT) → VARCHAR.
func (s Signature) String() string {
	args := strings.Join(s.Args, ", ")
	if s.Variadic {
		args += ", ..."
	}
	return "(" + args + ") → " + s.Result
}

// NewSignature reads a signature such as "VARCHAR, T → T" or "T, ... → T".
func NewSignature(text string) Signature {
	args, result, _ := strings.Cut(text, "→")
	s := Signature{Args: []string{}, Result: strings.TrimSpace(result)}
	args, s.Variadic = strings.CutSuffix(strings.TrimSpace(args), ", ...")
	from, depth := 0, 0
	for i, c := range args + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0 && i > from:
			s.Args = append(s.Args, strings.TrimSpace(args[from:i]))
			from = i + 1
		}
	}
	return s
}

// NewSignatures reads several signatures.
func NewSignatures(texts ...string) []Signature {
	out := make([]Signature, len(texts))
	for i, text := range texts {
		out[i] = NewSignature(text)
	}
	return out
}

// Takes reports whether a signature has n arguments.
func Takes(signatures []Signature, n int) bool {
	return slices.ContainsFunc(signatures, func(s Signature) bool { return n == len(s.Args) || s.Variadic && n > len(s.Args) })
}

// WrongCount is the error for a call with n arguments if no signature takes n.
func WrongCount(name string, signatures []Signature, n int) error {
	if strings.EqualFold(name, "ISNULL") && n == 2 { // as in SQL Server
		return errors.New("ISNULL does not take 2 arguments; COALESCE(x, y) is y where x is NULL")
	}
	return fmt.Errorf("%s does not take %s; use %s", name, errs.Count(n, "argument"), formsOf(name, signatures))
}

// formsOf are the signatures with the name, for messages.
func formsOf(name string, signatures []Signature) string {
	var forms []string
	for _, s := range signatures {
		forms = append(forms, name+s.String())
	}
	return strings.Join(forms, " or ")
}
