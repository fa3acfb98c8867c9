package breadth

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/bench/differential"
)

// columns are arguments by their type, for each table: the first one for the first argument of the type, and so on.
var columns = map[string]map[string][]string{
	"big": {
		"BIGINT": {"k", "n", "id"}, "VARCHAR": {"name", "city", "cat"}, "DOUBLE": {"d", "(d + k)", "(d - k)"}, "DECIMAL": {"price"}, wide: {"id::DECIMAL(38,0)", "k::DECIMAL(38,0)"}, "BOOLEAN": {"(k > 500)", "(n > 20)"}, "DATE": {"day", "ts::DATE"},
		"TIMESTAMP": {"ts", "day::TIMESTAMP"}, "TIMESTAMPTZ": {"ts::TIMESTAMPTZ", "day::TIMESTAMPTZ"}, "INTERVAL": {"to_hours(k)", "to_days(k)"}, "TIME": {"ts::TIME"}, "BLOB": {"encode(name)"},
		"FLOAT": {"d::FLOAT"}, "GEOMETRY": {"ST_POINT(d, k)", "ST_POINT(k, d)"}, "GEOGRAPHY": {"ST_POINT(d / 10, k / 20)::GEOGRAPHY", "ST_POINT(k / 10, d / 20)::GEOGRAPHY"},
		"UUID": {"(lpad(id::VARCHAR, 32, '0'))::UUID"}, "VARIANT": {"{'a': k, 'b': city}::VARIANT"},
	},
	"words": {"VARCHAR": {"t", "code", "stamp"}, "BIGINT": {"id % 50", "id % 7"}, "text of a TIMESTAMP": {"stamp"}},
	"lists": {
		"LIST(BIGINT)": {"xs", "list_reverse(xs)"}, "LIST(VARCHAR)": {"names"}, "LIST(DOUBLE)": {"[g, 1e0, g + id]", "[id, 1e0, g]"}, "LIST(FLOAT)": {"[g, 1, g + id]::FLOAT[3]", "[id, 1, g]::FLOAT[3]"},
		"LIST(BOOLEAN)": {"[g > 5, g > 50]"}, "LIST(LIST(T))": {"[xs, xs]"}, "STRUCT": {"st"}, "MAP": {"m"}, "STRUCT(a BIGINT, b VARCHAR)": {"{'a': g, 'b': names[1]}", "{'a': id, 'b': names[2]}"},
		"MAP(BIGINT, VARCHAR)": {"MAP {g + 10: names[1], 1: 'b'}", "MAP {g + 11: names[2], 2: 'b'}"}, "BIGINT": {"g", "(id % 7)"}, "VARCHAR": {"names[1]", "names[2]"}, "DOUBLE": {"(g / 7e0)"},
		"DECIMAL": {"g::DECIMAL(9,2)"}, "BOOLEAN": {"(g > 50)"}, "DATE": {"(DATE '2024-01-01' + g)"}, "JSON": {"g::VARCHAR"},
	},
	"js": {"JSON": {"j"}, "VARCHAR": {"j"}, "BIGINT": {"g"}},
}

// searched are the tables in the order of search: the first one that has columns of all types of a call.
var searched = []string{"words", "big", "js", "lists"}

// constants are the arguments that must be constants.
var constants = map[string]string{
	"'part'": "'month'", "'part of a day'": "'minute'", "'format'": "'%Y-%m-%d %H:%M:%S'", "'options'": "'i'", "'path'": "'$.v'", "'field'": "'p'", "['path']": "['$.v', '$.ev']", "['bins']": "[0, 100, 500]", "['names']": "['a']",
	"'order'": "'DESC'", "'nulls'": "'NULLS LAST'", "'max'": "'max'", "'structure'": `'{"v": "DOUBLE"}'`, "'separator'": "','", "DOUBLE literal": "0.25", "BIGINT literal": "2", "lambda": "x -> x % 10",
}

// families are types of signatures that stand for several, of each of which there is a query.
var families = map[string][]string{"number": {"BIGINT", "DOUBLE", "DECIMAL"}, "integer": {"BIGINT"}, "any": {"BIGINT"}, "T": {"BIGINT", "VARCHAR"}, "K": {"BIGINT"}, "V": {"BIGINT"}}

// wide is the type of integers of more than 64 bits.
const wide = "DECIMAL(38,0)"

var precision = regexp.MustCompile(`^DECIMAL\(.*`)

// varies reports whether an argument of a type may be a column.
func varies(t string) bool { _, constant := constants[t]; return !constant }

// variants are the types of a signature's arguments, once for each type that the first one that varies may have.
func variants(signature []string) (out [][]string) {
	signature = slices.Clone(signature)
	// The VARCHAR before a time is a part of it.
	if len(signature) > 1 && signature[0] == "VARCHAR" && times.MatchString(signature[1]) {
		signature[0] = "'part'"
		if signature[1] == "TIME" {
			signature[0] = "'part of a day'"
		}
	}
	at := slices.IndexFunc(signature, varies)
	if at < 0 {
		return [][]string{signature}
	}
	all := signature[at]
	if strings.HasPrefix(all, "JSON | VARCHAR") {
		all = strings.Replace(all, " | VARCHAR", "", 1)
	}
	for first := range strings.SplitSeq(all, " | ") {
		kinds := families[first]
		if kinds == nil {
			kinds = []string{single(first)}
		}
		for _, kind := range kinds {
			args := slices.Clone(signature)
			for i, a := range args {
				if i == at || a == all || a == first {
					args[i] = kind
					continue
				}
				if varies(a) {
					args[i] = other(a, kind)
				}
			}
			out = append(out, args)
		}
	}
	return out
}

var times = regexp.MustCompile(`^(DATE|TIMESTAMP|TIMESTAMPTZ|TIME|INTERVAL)\b`)

// other is the type of an argument behind one of a type: what T is follows from that.
func other(t, first string) string {
	t, _, _ = strings.Cut(t, " | ")
	switch {
	case t == "T" && strings.HasPrefix(first, "LIST("):
		return strings.TrimSuffix(strings.TrimPrefix(first, "LIST("), ")")
	case t == "K" && first == "MAP":
		return "VARCHAR"
	case families[t] != nil:
		return families[t][0]
	}
	return single(t)
}

// single is the name in columns of a type of signatures.
func single(t string) string {
	switch {
	case strings.HasPrefix(t, "MAP("):
		return "MAP"
	case strings.HasPrefix(t, "STRUCT"):
		return "STRUCT"
	case t == "LIST(T)", t == "LIST(V)", t == "LIST(K)":
		return "LIST(BIGINT)"
	}
	if t == wide {
		return t
	}
	return precision.ReplaceAllString(t, "DECIMAL")
}

// called is a call of arguments of types.
func called(name string, types []string) (differential.Call, error) {
	c := differential.Call{}
	var args []string
	for _, t := range types {
		if constant, ok := constants[t]; ok {
			args = append(args, constant)
			continue
		}
		args, c.Args = append(args, "$"), append(c.Args, t)
	}
	if wordEnd.MatchString(name) {
		c.Text = name + "(" + strings.Join(args, ", ") + ")"
		return c, nil
	}
	if len(args) != 2 {
		return c, fmt.Errorf("the operator %s has %d arguments", name, len(args))
	}
	c.Text = "(" + args[0] + " " + name + " " + args[1] + ")"
	return c, nil
}

// filled is a call over the columns of a table.
func filled(c differential.Call) (call, from string, err error) {
	for _, from := range searched {
		used := map[string]int{}
		call, ok := c.Text, true
		for _, t := range c.Args {
			list := columns[from][t]
			if ok = len(list) > 0; !ok {
				break
			}
			call = strings.Replace(call, "$", list[used[t]%len(list)], 1)
			used[t]++
		}
		if ok && (len(c.Args) > 0 || from == "big") {
			return call, from, nil
		}
	}
	return "", "", fmt.Errorf("no table has columns for %s of %s", c.Text, strings.Join(c.Args, ", "))
}

// ask is the query of a call: what is in its value counts, so that no engine can leave it out, and the answer is a row.
func ask(ours *sql.DB, c differential.Call, kind string) (string, error) {
	call, from, err := filled(c)
	if err != nil {
		return "", err
	}
	rows, err := ours.Query("DESCRIBE SELECT " + call + " AS x FROM " + from)
	if err != nil {
		return "", fmt.Errorf("%s: %w", call, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	values := make([]sql.NullString, len(names))
	into := make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	if !rows.Next() {
		return "", fmt.Errorf("%s has no type: %w", call, rows.Err())
	}
	if err := rows.Scan(into...); err != nil {
		return "", err
	}
	value, fold := folded(values[1].String)
	value = fmt.Sprintf(value, call)
	if kind == "aggregate" {
		// Only one value is left.
		if strings.HasPrefix(fold, "to_json") {
			value = "to_json(" + value + ")::VARCHAR"
		}
		return fmt.Sprintf("SELECT %s FROM %s", value, from), rows.Err()
	}
	return fmt.Sprintf("SELECT "+fold+" FROM %s", value, from), rows.Err()
}

// folded is what is taken of a value of a type, and how the values of all rows become one: both are formats around what they take.
func folded(typ string) (value, fold string) {
	switch base, _, _ := strings.Cut(typ, "("); {
	case strings.HasSuffix(typ, "]") || base == "LIST":
		return "len(%s)", "sum(%s)"
	case base == "MAP":
		return "cardinality(%s)", "sum(%s)"
	case base == "STRUCT":
		return "%s", "to_json(max(%s))::VARCHAR"
	case base == "VARIANT" || base == "JSON":
		return "length((%s)::VARCHAR)", "sum(%s)"
	case base == "INTERVAL":
		return "epoch(%s)", "max(%s)"
	case base == "TIME":
		return "(%s)::VARCHAR", "max(%s)"
	case base == "GEOMETRY" || base == "GEOGRAPHY":
		return "octet_length(ST_ASBINARY(%s))", "sum(%s)"
	case base == "VARCHAR":
		return "length(%s)", "sum(%s)"
	case base == "BLOB":
		return "octet_length(%s)", "sum(%s)"
	case base == "BOOLEAN":
		return "(%s)::INTEGER", "sum(%s)"
	case base == "BIGINT" || base == "UBIGINT" || typ == wide: // a sum may be too large
		return "%s", "bit_xor(%s)"
	case strings.HasSuffix(base, "INT") || base == "INTEGER" || base == "DOUBLE" || base == "FLOAT" || base == "DECIMAL":
		return "%s", "sum(%s)"
	}
	return "%s", "max(%s)"
}
