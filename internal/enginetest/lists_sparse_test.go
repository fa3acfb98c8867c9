package enginetest

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// listColumn is a repeated column and its pages. lost marks the rows that damage loses:
// those of its page, and all later ones if nothing says where the next page's begin.
type listColumn struct {
	paged
	lists [][]int64
	lost  []bool
}

// newListColumn makes one list per row, of up to seven values, in pages of about size
// entries. Without an index pages of version 1 may begin within a list.
func newListColumn(r *rand.Rand, name string, rows, size int, v2, index bool) *listColumn {
	c := &listColumn{paged: paged{flat: longs(name), v2: v2, index: index}, lists: make([][]int64, rows), lost: make([]bool, rows)}
	c.repeated = true
	var rep, def []byte // of the page, one byte per entry
	var values []int64
	starts := 0
	end := func() {
		c.addPage(rep, def, values, starts)
		rep, def, values, starts = nil, nil, nil, 0
	}
	for i := range c.lists {
		if len(rep) >= size {
			end()
		}
		starts++
		n := max(0, r.IntN(9)-1)
		if n == 0 {
			rep, def = append(rep, 0), append(def, 0)
		}
		for k := range n {
			if k > 0 && !v2 && !index && len(rep) >= size {
				end()
			}
			v := r.Int64N(1000)
			c.lists[i] = append(c.lists[i], v)
			rep, def, values = append(rep, byte(min(k, 1))), append(def, 1), append(values, v)
		}
	}
	end()
	return c
}

func (c *listColumn) addPage(rep, def []byte, values []int64, starts int) {
	sections := [][]byte{levelRuns(rep), levelRuns(def)}
	p := onePage{rows: starts, entries: len(rep), rep: len(sections[0]), def: len(sections[1])}
	for _, s := range sections {
		if !c.v2 {
			p.data = binary.LittleEndian.AppendUint32(p.data, uint32(len(s)))
		}
		p.data = append(p.data, s...)
	}
	for _, v := range values {
		p.data = binary.LittleEndian.AppendUint64(p.data, uint64(v))
	}
	c.pages = append(c.pages, p)
}

// levelRuns are levels as runs of the hybrid encoding.
func levelRuns(levels []byte) (out []byte) {
	for from := 0; from < len(levels); {
		to := from + 1
		for to < len(levels) && levels[to] == levels[from] {
			to++
		}
		out = append(binary.AppendUvarint(out, uint64(to-from)<<1), levels[from])
		from = to
	}
	return out
}

// damage sets the last definition level of a page to one above the maximum.
func (c *listColumn) damage(page int) {
	p := &c.pages[page]
	p.data = slices.Clone(p.data)
	at := p.rep + p.def - 1
	if !c.v2 {
		at += 8
	}
	p.data[at] = 7
	first := 0
	for _, before := range c.pages[:page] {
		first += before.rows
	}
	end := len(c.lists)
	if c.v2 {
		end = first + p.rows
	} else if rep := p.data[4:]; rep[1] != 0 {
		first-- // the list before the page continues in it
	} else if page > 0 {
		first-- // the list before the page may continue in it
	}
	for i := first; i < end; i++ {
		c.lost[i] = true
	}
}

// TestSparseLists selects few rows and their lists from files with several kinds of
// pages, intact and damaged.
func TestSparseLists(t *testing.T) {
	const rows = 9000
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	k := paged{flat: longs("k"), pages: pagesOf(9, rows/9, func(row int) int64 { return int64(row) })}
	for _, kind := range []struct{ v2, index, damaged bool }{
		{true, false, false}, {false, false, false}, {false, true, false},
		// With pages of version 1 and an index, what is lost depends on whether the index is read.
		{true, false, true}, {false, false, true}, {true, true, true},
	} {
		xs := newListColumn(r, "xs", rows, 700+r.IntN(9000), kind.v2, kind.index)
		ys := newListColumn(r, "ys", rows, 700+r.IntN(9000), kind.v2, kind.index)
		if kind.damaged {
			ys.damage(r.IntN(len(ys.pages)))
			xs.damage(len(xs.pages) - 1)
		}
		file := pagedFile(k, xs.paged, ys.paged)
		for _, parallelism := range []int{2, 1} {
			if testing.Short() && parallelism == 1 {
				break
			}
			dsn := filepath.Join(tree(t, map[string][]byte{"l.parquet": file}), "l.parquet") + fmt.Sprint("?parallelism=", parallelism)
			if kind.damaged {
				dsn += "&on_corrupt=skip"
			}
			db := openDir(t, dsn)
			checkSparseLists(t, r, db, xs, ys)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		if t.Failed() {
			t.Fatalf("%+v", kind)
		}
	}
}

func checkSparseLists(t *testing.T, r *rand.Rand, db *sql.DB, xs, ys *listColumn) {
	t.Helper()
	conditions := map[string]func(k int) bool{}
	for _, n := range []int{2, 3, 7, 40, 500, 3000} {
		if testing.Short() && r.IntN(2) == 0 {
			continue
		}
		rest := r.IntN(n)
		conditions[fmt.Sprintf("k %% %d = %d", n, rest)] = func(k int) bool { return k%n == rest }
		from := r.IntN(9000)
		conditions[fmt.Sprintf("k BETWEEN %d AND %d AND k %% 3 <> 1", from, from+n)] = func(k int) bool { return from <= k && k <= from+n && k%3 != 1 }
	}
	for condition, passes := range conditions {
		var lists []string
		count, sum := 0, int64(0)
		for k, list := range xs.lists {
			if !passes(k) {
				continue
			}
			if !xs.lost[k] {
				for _, v := range list {
					count, sum = count+1, sum+v
				}
			}
			if !xs.lost[k] && !ys.lost[k] {
				lists = append(lists, fmt.Sprint(k, jsonList(list), jsonList(ys.lists[k])))
			}
		}
		if got := one[string](t, db, "SELECT COUNT(*) || ' ' || COALESCE(SUM(i.item), 0) FROM l t, t.xs i WHERE t."+condition); got != fmt.Sprint(count, sum) {
			t.Errorf("%s: elements: %s, want %d %d", condition, got, count, sum)
		}
		got, err := queryTable(db, "SELECT k, xs, ys FROM l WHERE "+condition+" ORDER BY k")
		if err != nil || len(got.rows) != len(lists) {
			t.Errorf("%s: %d rows, want %d, %v", condition, len(got.rows), len(lists), err)
			continue
		}
		for i, row := range got.rows {
			if text := fmt.Sprint(row[0], fmt.Sprint(row[1]), fmt.Sprint(row[2])); text != lists[i] {
				t.Fatalf("%s: row %s, want %s", condition, text, lists[i])
			}
		}
	}
}

func jsonList(list []int64) string {
	return "[" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ","), "[]") + "]"
}
