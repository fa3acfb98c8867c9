package differential

import (
	"maps"
	"slices"
)

// A Call is an expression around arguments: each $ in Text stands for one of the next type of Args, by its name in SQL.
type Call struct {
	Text string
	Args []string
}

// names are types in SQL. An argument of stampText is the text of a timestamp.
var names = map[typ]string{
	integer: "BIGINT", double: "DOUBLE", text: "VARCHAR", boolean: "BOOLEAN", date: "DATE", decimal: "DECIMAL", timestamp: "TIMESTAMP", list: "LIST(BIGINT)",
	structure: "STRUCT(a BIGINT, b VARCHAR)", mapping: "MAP(BIGINT, VARCHAR)", interval: "INTERVAL", zoned: "TIMESTAMPTZ", stamp: stampText,
}

const stampText = "text of a TIMESTAMP"

// Scalars are calls of scalar functions with arguments that suit them.
func Scalars() []Call { return calls(functions, families, others) }

// Aggregates are likewise calls of aggregate functions.
func Aggregates() []Call { return calls(statistics, measures) }

func calls(tables ...map[typ][]form) (all []Call) {
	for _, table := range tables {
		for _, t := range slices.Sorted(maps.Keys(table)) {
			for _, f := range table[t] {
				c := Call{Text: f.text}
				for _, a := range f.args {
					c.Args = append(c.Args, names[a])
				}
				all = append(all, c)
			}
		}
	}
	return all
}
