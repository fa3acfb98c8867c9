package function

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr/aggregate"
)

// What an error advises exists, and so that the advice is seen, what it is about does not.
func TestElsewhere(t *testing.T) {
	called := regexp.MustCompile(`([A-Z_]+)\(`)
	syntax := []string{"CAST", "TRY_CAST", "DECIMAL", "JSON_GROUP_ARRAY", "LEN", "IF", "COALESCE", "NULLIF", "UNNEST", "GENERATE_SUBSCRIPTS"}
	for name, advice := range elsewhere {
		if Is(name) || aggregate.Is(name) || strings.ToLower(name) != name || absent[name] != "" {
			t.Errorf("%s: a function of this name exists, or it is listed twice", name)
		}
		for _, m := range called.FindAllStringSubmatch(advice, -1) {
			if f := m[1]; !Is(f) && constants[f] == nil && !aggregate.Is(f) && !slices.Contains(syntax, f) {
				t.Errorf("%s: %q: there is no function %s", name, advice, f)
			}
		}
	}
}
