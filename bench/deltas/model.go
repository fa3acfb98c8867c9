package deltas

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// Column is a column of a random table, or a field of one that is a struct.
type Column struct {
	ID        int
	Name      string // now
	Physical  string
	Type      string // one of types
	Fields    []*Column
	Partition bool
	changes   []map[string]string // delta.typeChanges
}

// Row is a row by the ids of columns that are no structs. A field of a struct that is NULL is
// NULL itself.
type Row map[int]any

// Variant is a whole number or a text as a VARIANT.
type Variant struct{ of any }

// String is its JSON.
func (v Variant) String() string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v.of); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// State is what a version has.
type State struct {
	Names []string // of the columns as SELECT * shows them
	Rows  []string // of Text, sorted
	ids   []int
	types []string
	rows  []Row
}

// stateOf is the state of columns and files.
func stateOf(columns []*Column, files []*file) *State {
	s := &State{}
	var walk func(list []*Column, within string)
	walk = func(list []*Column, within string) {
		for _, c := range list {
			if c.Type == "struct" {
				walk(c.Fields, within+c.Name+".")
				continue
			}
			s.Names, s.ids, s.types = append(s.Names, within+c.Name), append(s.ids, c.ID), append(s.types, c.Type)
		}
	}
	walk(columns, "")
	for _, f := range files {
		for i, r := range f.rows {
			if !f.gone[i] {
				s.rows = append(s.rows, r)
				s.Rows = append(s.Rows, s.text(r))
			}
		}
	}
	slices.Sort(s.Rows)
	return s
}

func (s *State) text(r Row) string {
	var out strings.Builder
	for _, id := range s.ids {
		fmt.Fprintf(&out, "%v|", r[id])
	}
	return out.String()
}

// Condition is a random condition on a column of numbers or texts with how many rows satisfy it;
// false if there is no such column.
func (s *State) Condition(r *rand.Rand) (text string, rows int, ok bool) {
	at := r.Intn(len(s.ids))
	id, name := s.ids[at], `"`+strings.ReplaceAll(s.Names[at], `"`, `""`)+`"`
	count := func(f func(v any) bool) (n int) {
		for _, row := range s.rows {
			if row[id] != nil && f(row[id]) {
				n++
			}
		}
		return n
	}
	switch s.types[at] {
	case "long", "integer":
		k := int64(r.Intn(100))
		if r.Intn(2) == 0 {
			return fmt.Sprintf("%s = %d", name, k), count(func(v any) bool { return v.(int64) == k }), true
		}
		return fmt.Sprintf("%s > %d", name, k), count(func(v any) bool { return v.(int64) > k }), true
	case "string":
		k := append(words, oddWords...)[r.Intn(len(words)+len(oddWords))]
		switch r.Intn(4) {
		case 0:
			return fmt.Sprintf("%s = '%s'", name, strings.ReplaceAll(k, "'", "''")), count(func(v any) bool { return v.(string) == k }), true
		case 1:
			return fmt.Sprintf("%s <> '%s'", name, strings.ReplaceAll(k, "'", "''")), count(func(v any) bool { return v.(string) != k }), true
		}
		return fmt.Sprintf("%s <= '%s'", name, strings.ReplaceAll(k, "'", "''")), count(func(v any) bool { return v.(string) <= k }), true
	}
	switch s.types[at] {
	case "date", "timestamp_ntz":
		k := map[string]string{"date": "1990-02-03", "timestamp_ntz": "1990-02-03 04:05:06.000007"}[s.types[at]]
		return fmt.Sprintf("%s > '%s'", name, k), count(func(v any) bool { return !strings.HasPrefix(v.(string), "-") && v.(string) > k }), true
	case "boolean":
		return fmt.Sprintf("NOT %s", name), count(func(v any) bool { return !v.(bool) }), true
	}
	return fmt.Sprintf("%s IS NOT NULL", name), count(func(any) bool { return true }), true
}

// Extremes are the least and greatest value of a column of whole numbers; ok is false if there is
// none.
func (s *State) Extremes(r *rand.Rand) (name string, low, high any, ok bool) {
	at := r.Intn(len(s.ids))
	if t := s.types[at]; t != "long" && t != "integer" {
		return "", nil, nil, false
	}
	for _, row := range s.rows {
		v, is := row[s.ids[at]].(int64)
		if !is {
			continue
		}
		if low == nil || v < low.(int64) {
			low = v
		}
		if high == nil || v > high.(int64) {
			high = v
		}
	}
	return `"` + strings.ReplaceAll(s.Names[at], `"`, `""`) + `"`, low, high, true
}

var words = []string{"", "a", "B", "zürich", "it's", "a long text that is longer than thirty-two characters", "a long text that is longer than thirty-two characters too", "~", "%", "\"quoted\""}

// oddWords are values of partitions that folders, addresses and other writers have for something else.
var oddWords = []string{"a=b", "50%", "%2F", "a/b", "x:y", "#1", " ", ".", "..", "__HIVE_DEFAULT_PARTITION__", "NULL", "null", "tab\t", "line\n", "\\", "あ", "😀", "1", "1.0", "true", "2020-01-01"}

// timestampForm is a timestamp as values of partitions have it.
const timestampForm = "2006-01-02 15:04:05.000000"
