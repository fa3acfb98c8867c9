// Package explain prints a plan: as a tree of text for people, or as JSON for
// programs. To show a new node, add it to describe or describePhysical. The text of a query that was
// run:
//
//	TopN n DESC, first 3 rows  (about 3 rows; 3 rows, 1.4 ms)
//	└─ Aggregate COUNT(*) by species  (about 3 rows; 3 rows, 1.3 ms)
//	   └─ Scan penguins  (about 286 rows; 299 rows, 1.1 ms, 2 workers)
//	        columns     species
//	        filter      body_mass > 3000
//	        probes      body_mass > 3000
//	        files       1, none pruned
//	        row groups  8: 5 pruned by statistics, 3 left
//	        pages       12: 4 pruned, 8 read
//	        read        14.2 KiB, 310 rows decoded, 299 returned
//
// "about" is what planning expected, from metadata. A node's time includes all nodes below it and is summed over the workers.
package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/physical"
	"github.com/parquetsql/parquetsql/scan"
)

// Plan is a plan and the facts to print about it.
type Plan struct {
	Root  physical.Node
	Scans []Scan
	// Estimate guesses how many rows a node produces; false if it cannot. It may be nil.
	Estimate func(logical.Node) (int64, bool)
	// Ran is nil for a query that was not run.
	Ran *Ran
}

// Scan is one scan of the plan.
type Scan struct {
	Node     *physical.Scan
	Counters scan.Counters
	Probes   []string
	Leaves   []string // of which pages were, or would be, decoded
}

// Ran is the measurements of a run.
type Ran struct {
	Rows int64
	Time time.Duration
	Of   func(physical.Node) (Step, bool)

	Requests Requests // to a remote store
}

// Requests are those of the query until now, planning and listings included.
type Requests struct {
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
	Cached   int64 `json:"cached_bytes"`
	Retries  int64 `json:"retries"`
}

// Step is the measurements of one node.
type Step struct {
	Rows    int64
	Time    time.Duration
	Workers int
}

// operator is a node in the form of the JSON output.
type operator struct {
	Operator string      `json:"operator"`
	Detail   string      `json:"detail,omitempty"`
	Table    string      `json:"table,omitempty"`
	Columns  []string    `json:"columns,omitempty"`
	Filter   []string    `json:"filter,omitempty"`
	Order    string      `json:"order,omitempty"`
	Readers  int         `json:"readers,omitempty"`
	Probes   []string    `json:"probes,omitempty"`
	Leaves   []string    `json:"leaves,omitempty"`
	Guess    *int64      `json:"estimated_rows,omitempty"`
	Rows     *int64      `json:"rows,omitempty"`
	Millis   *float64    `json:"time_ms,omitempty"`
	Workers  int         `json:"workers,omitempty"`
	Children []*operator `json:"children,omitempty"`

	counters []scan.Counters
}

// tree describes a node and those below it.
func (p *Plan) tree(n physical.Node) *operator {
	o := describePhysical(n)
	if of := n.Logical(); p.Estimate != nil && of != nil {
		if guess, ok := p.Estimate(of); ok {
			o.Guess = &guess
		}
	}
	for _, in := range n.Inputs() {
		o.Children = append(o.Children, p.tree(in))
	}
	for _, s := range p.Scans {
		if physical.Node(s.Node) == n {
			o.counters = append(o.counters, s.Counters)
			o.Probes = s.Probes
			if slices.ContainsFunc(s.Leaves, isInner) {
				o.Leaves = s.Leaves
			}
		}
	}
	if p.Ran == nil {
		return o
	}
	if s, ok := p.Ran.Of(n); ok {
		ms := float64(s.Time) / float64(time.Millisecond)
		o.Rows, o.Millis, o.Workers = &s.Rows, &ms, s.Workers
	}
	return o
}

// isInner reports whether a leaf is within a column, so that the names of columns do not
// tell whether it was read.
func isInner(leaf string) bool { return strings.Contains(leaf, ".") }

// JSON is the plan as one JSON object.
func (p *Plan) JSON() (string, error) {
	doc := struct {
		Operators *operator       `json:"operators"`
		Scans     []scan.Counters `json:"scans"`
		Rows      *int64          `json:"rows,omitempty"`
		Millis    *float64        `json:"time_ms,omitempty"`
		Requests  *Requests       `json:"requests,omitempty"`
	}{Operators: p.tree(p.Root), Scans: []scan.Counters{}}
	for _, s := range p.Scans {
		doc.Scans = append(doc.Scans, s.Counters)
	}
	if p.Ran != nil {
		ms := float64(p.Ran.Time) / float64(time.Millisecond)
		doc.Rows, doc.Millis = &p.Ran.Rows, &ms
		if p.Ran.Requests != (Requests{}) {
			doc.Requests = &p.Ran.Requests
		}
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return "", fmt.Errorf("explain: %w", err)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// Logical is a plan about which nothing is decided, as lines. probes, unless nil, says what
// a scan is asked of elements.
func Logical(root logical.Node, probes func(*logical.Scan) []string) []string {
	var tree func(n logical.Node) *operator
	tree = func(n logical.Node) *operator {
		o := describe(n)
		if s, ok := n.(*logical.Scan); ok && probes != nil {
			o.Probes = probes(s)
		}
		for _, in := range n.Inputs() {
			o.Children = append(o.Children, tree(in))
		}
		return o
	}
	var w writer
	w.node(tree(root), "", "", false)
	return w.lines
}

// Text is the plan as lines.
func (p *Plan) Text() []string {
	var w writer
	w.node(p.tree(p.Root), "", "", p.Ran != nil)
	if p.Ran != nil {
		w.line("")
		w.line(fmt.Sprintf("%s in %s", count(p.Ran.Rows, "row"), duration(p.Ran.Time)))
		if r := p.Ran.Requests; r != (Requests{}) {
			w.line(fmt.Sprintf("%s, %s, %s of a cache, %s repeated", count(r.Requests, "request"), size(r.Bytes), size(r.Cached), none(r.Retries)))
		}
	}
	return w.lines
}
