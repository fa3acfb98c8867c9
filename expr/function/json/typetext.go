package json

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/vector"
)

// parseTypeText is the SQL type that a text such as DECIMAL(10, 2) names.
func parseTypeText(text string) (vector.Type, error) {
	name, rest, parameters := strings.Cut(text, "(")
	if !parameters {
		return expr.ParseType(name, nil)
	}
	list, rest, ok := strings.Cut(rest, ")")
	if !ok {
		return vector.Type{}, fmt.Errorf("the type %q lacks a )", text)
	}
	var args []int
	for arg := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(arg))
		if err != nil {
			return vector.Type{}, fmt.Errorf("the type %q has a parameter that is not a number", text)
		}
		args = append(args, n)
	}
	return expr.ParseType(strings.TrimSpace(name+rest), args)
}
