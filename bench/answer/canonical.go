package answer

import (
	"bytes"
	"encoding/json"
	"strings"
)

// canonical is JSON text with the names of objects in order and floats as Cell has
// them; other text is itself.
func canonical(s string) string {
	if !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") {
		return s
	}
	var v any
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if d.Decode(&v) != nil || d.More() {
		return s
	}
	var b bytes.Buffer
	jsonText(&b, numbers(v))
	return b.String()
}

// numbers makes whole floats look like integers.
func numbers(v any) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = numbers(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = numbers(x[k])
		}
	case json.Number:
		if f, err := x.Float64(); err == nil && strings.ContainsAny(x.String(), ".eE") {
			return json.Number(floatText(f))
		}
	}
	return v
}
