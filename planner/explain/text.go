package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/parquetsql/parquetsql/scan"
)

// maxLine is how many characters of a list or condition are shown.
const maxLine = 200

type writer struct{ lines []string }

func (w *writer) line(s string) { w.lines = append(w.lines, s) }

// node writes a node and those below it. head begins its own line, rest all lines
// after it.
func (w *writer) node(o *operator, head, rest string, ran bool) {
	s := head + o.Operator
	if o.Detail != "" {
		s += " " + clip(o.Detail)
	}
	if m := measured(o); m != "" {
		s += "  (" + m + ")"
	}
	w.line(s)
	w.facts(o, rest+"  ", ran)
	for i, c := range o.Children {
		if i == len(o.Children)-1 {
			w.node(c, rest+"└─ ", rest+"   ", ran)
		} else {
			w.node(c, rest+"├─ ", rest+"│  ", ran)
		}
	}
}

// measured is how many rows an operator has made, and in what time, after how many
// were expected.
func measured(o *operator) string {
	var parts []string
	if o.Guess != nil {
		parts = append(parts, "about "+count(*o.Guess, "row"))
	}
	if o.Rows != nil {
		s := fmt.Sprintf("%s, %s", count(*o.Rows, "row"), duration(time.Duration(*o.Millis*float64(time.Millisecond))))
		if o.Workers > 1 {
			s += ", " + count(int64(o.Workers), "worker")
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// facts writes what a scan reads and what it skips.
func (w *writer) facts(o *operator, indent string, ran bool) {
	fact := func(name, value string) {
		if value != "" {
			w.line(indent + fmt.Sprintf("%-11s ", name) + clip(value))
		}
	}
	fact("columns", strings.Join(o.Columns, ", "))
	fact("leaves", strings.Join(o.Leaves, ", "))
	fact("filter", strings.Join(o.Filter, " AND "))
	fact("probes", strings.Join(o.Probes, " AND "))
	fact("order", o.Order)
	if o.Readers > 1 {
		fact("readers", thousands(int64(o.Readers)))
	}
	for _, c := range o.counters {
		fact("files", files(c))
		if !ran {
			continue
		}
		fact("row groups", rowGroups(c))
		fact("pages", pages(c))
		fact("read", fmt.Sprintf("%s, %s decoded, %s returned", size(c.BytesRead), count(c.RowsDecoded, "row"), thousands(c.RowsReturned)))
		if c.PagesSkippedCorrupt > 0 {
			fact("damaged", count(c.PagesSkippedCorrupt, "page")+" left out")
		}
	}
}

func files(c scan.Counters) string {
	if c.FilesTotal == 0 {
		return ""
	}
	return thousands(c.FilesTotal) + ", " + none(c.FilesPruned) + " pruned"
}

func rowGroups(c scan.Counters) string {
	if c.RowGroupsTotal == 0 {
		return ""
	}
	left := c.RowGroupsTotal
	var cuts []string
	for _, cut := range []struct {
		n  int64
		by string
	}{
		{c.RowGroupsPrunedStatistics, "statistics"}, {c.RowGroupsPrunedBloom, "bloom filters"}, {c.RowGroupsPrunedDictionary, "dictionaries"},
	} {
		left -= cut.n
		if cut.n > 0 {
			cuts = append(cuts, thousands(cut.n)+" by "+cut.by)
		}
	}
	if cuts == nil {
		return thousands(c.RowGroupsTotal) + ", none pruned"
	}
	return fmt.Sprintf("%s: pruned %s; %s left", thousands(c.RowGroupsTotal), strings.Join(cuts, ", "), thousands(left))
}

func pages(c scan.Counters) string {
	if c.PagesTotal == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %s pruned, %s read", thousands(c.PagesTotal), none(c.PagesPruned), thousands(c.PagesTotal-c.PagesPruned))
}

func none(n int64) string {
	if n == 0 {
		return "none"
	}
	return thousands(n)
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}

// thousands writes 1,234,567.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func size(n int64) string {
	units := []string{"bytes", "KiB", "MiB", "GiB", "TiB"}
	v, u := float64(n), 0
	for v >= 1024 && u < len(units)-1 {
		v /= 1024
		u++
	}
	if u == 0 {
		return thousands(n) + " bytes"
	}
	return fmt.Sprintf("%.1f %s", v, units[u])
}

// duration writes three significant digits: a measurement is not more exact.
func duration(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.of {
			return strconv.FormatFloat(float64(d)/float64(u.of), 'g', 3, 64) + " " + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + " ns"
}

// clip shortens a text and replaces control characters: a name in a file may
// contain them, and a terminal would execute them.
func clip(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return '�'
		}
		return r
	}, s)
	if n := []rune(s); len(n) > maxLine {
		return string(n[:maxLine]) + "…"
	}
	return s
}
