package bench

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/bench/orders"
)

// elementCase is a query of orders o and o.items i.
type elementCase struct {
	name, from, where string
	keep              func(elementRow) bool
	// How many row groups are ruled out, and by what, and whether nearly all pages of
	// the others are ruled out too.
	stats, bloom, dict int64
	pages              bool
}

// elementRow is a row of orders o LEFT JOIN o.items i.
type elementRow struct {
	id   int64
	pos  int
	item *orders.Item // nil where the order has none
}

func (r elementRow) priced(from, to int64) bool {
	return r.item != nil && r.item.Price >= from && r.item.Price <= to
}

const orderGroups = 6

func elementCases() []elementCase {
	const (
		inner, left = "FROM orders o, o.items i", "FROM orders o LEFT JOIN o.items i"
		n, of       = orderGroups, orders.GroupRows
		at          = 3*of + 4321 // an order with an item
		high        = 1 << 40     // above all prices
		last        = (n*of - 9) * 10
	)
	sku := fmt.Sprintf("sku-%08d", at*4)
	near := func(r elementRow) bool { return r.priced(at*10, at*10+200) }
	none := func(elementRow) bool { return false }
	return []elementCase{
		{"range", inner, fmt.Sprintf("i.price BETWEEN %d AND %d", at*10, at*10+200), near, n - 1, 0, 0, true},
		{"NOT", inner, fmt.Sprintf("NOT (i.price < %d OR i.price > %d)", at*10, at*10+200), near, n - 1, 0, 0, true},
		{"above all", inner, fmt.Sprintf("i.price > %d", high), none, n, 0, 0, true},
		{"text", inner, "i.sku = '" + sku + "'", func(r elementRow) bool { return r.item != nil && r.item.SKU == sku }, n - 1, 0, 0, true},
		{"prefix", inner, "i.sku LIKE 'sku-0001234%'",
			func(r elementRow) bool { return r.item != nil && strings.HasPrefix(r.item.SKU, "sku-0001234") }, n - 1, 0, 0, true},
		{"ON", fmt.Sprintf("FROM orders o JOIN o.items i ON i.price > %d", high), "o.id >= 0", none, n, 0, 0, true},
		{"parent and element", inner, fmt.Sprintf("o.id < %d AND i.price > %d", of+20, (of-20)*10),
			func(r elementRow) bool { return r.id < of+20 && r.priced((of-20)*10+1, high) }, n - 2, 0, 0, true},
		{"parent or element", inner, fmt.Sprintf("o.id = 5 OR i.price >= %d", last),
			func(r elementRow) bool { return r.item != nil && (r.id == 5 || r.priced(last, high)) }, n - 2, 0, 0, true},
		{"bloom filter", inner, "i.code = 'c8000000000000001'",
			func(r elementRow) bool { return r.item != nil && r.item.Code == "c8000000000000001" }, 0, n, 0, true},
		{"dictionary", inner, "i.kind = 'k3'", func(r elementRow) bool { return r.item != nil && r.item.Kind == "k3" }, 0, 0, n - 1, false},
		{"list in a list", "FROM orders o, o.items i, i.parts p", fmt.Sprintf("p.item = %d", 2*(at+2)+1),
			func(r elementRow) bool { return r.id == at+2 && r.item != nil && len(r.item.Parts) == 2 }, n - 1, 0, 0, true},
		{"LEFT JOIN, NULL rejected", left, fmt.Sprintf("i.price BETWEEN %d AND %d", at*10, at*10+200), near, n - 1, 0, 0, true},
		{"LEFT JOIN, NULL accepted", left, fmt.Sprintf("i.price > %d OR i.price IS NULL", high),
			func(r elementRow) bool { return r.item == nil }, 0, 0, 0, false},
		{"LEFT JOIN with ON", fmt.Sprintf("FROM orders o LEFT JOIN o.items i ON i.price > %d", high), fmt.Sprintf("o.id >= %d", of),
			func(r elementRow) bool { return r.id >= of && r.pos == 0 }, 1, 0, 0, false},
		{"IS NULL", inner, "i.rebate IS NULL", func(r elementRow) bool { return r.item != nil && r.item.Rebate == nil }, 0, 0, 0, false},
		{"bounds that arrow-go gets wrong", inner, "i.rebate < 9", func(r elementRow) bool { return r.item != nil && r.item.Rebate != nil && *r.item.Rebate < 9 }, 0, 0, 0, false},
		{"pos", inner, "i.pos = 3", none, 0, 0, 0, false},
	}
}

// TestElementPruning selects elements of lists. The rows are compared with the orders
// that the file was written from, and each kind of evidence about the elements of a row
// group or page saves reading it.
func TestElementPruning(t *testing.T) {
	file := filepath.Join(t.TempDir(), "orders.parquet")
	if err := orders.Write(file, orderGroups); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("parquet", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, c := range elementCases() {
		t.Run(c.name, func(t *testing.T) {
			var got int64
			var sum sql.NullInt64
			if err := db.QueryRow("SELECT COUNT(*), SUM(o.id) "+c.from+" WHERE "+c.where).Scan(&got, &sum); err != nil {
				t.Fatal(err)
			}
			if want, ids := c.expected(); got != want || sum.Int64 != ids {
				t.Errorf("%d rows whose numbers add up to %d, want %d and %d", got, sum.Int64, want, ids)
			}
			s := explain(t, db, "SELECT o.id "+c.from+" WHERE "+c.where)
			t.Logf("%d rows, %+v", got, s)
			if s.Groups != orderGroups || s.ByStats != c.stats || s.ByBloom != c.bloom || s.ByDict != c.dict {
				t.Errorf("want row groups ruled out: %d by statistics, %d by bloom filters, %d by dictionaries", c.stats, c.bloom, c.dict)
			}
			if decoded := s.Pages - s.PagesPruned; c.pages && (decoded > s.Pages/20 || s.Decoded > orders.GroupRows/4) {
				t.Errorf("%d of %d pages are read", decoded, s.Pages)
			}
		})
	}
}

// expected returns the number of rows and the sum of their ids.
func (c *elementCase) expected() (rows, ids int64) {
	for i := range int64(orderGroups * orders.GroupRows) {
		items := orders.Items(i)
		if len(items) == 0 && c.keep(elementRow{id: i}) {
			rows, ids = rows+1, ids+i
		}
		for k := range items {
			if c.keep(elementRow{i, k, &items[k]}) {
				rows, ids = rows+1, ids+i
			}
		}
	}
	return rows, ids
}

// TestElementPruningOfPairs compares the elements of a list with each other: no value of
// the dictionary is less than itself, but pairs of different values are in order.
func TestElementPruningOfPairs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "orders.parquet")
	if err := orders.Write(file, 2); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("parquet", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var want int64
	for i := range int64(2 * orders.GroupRows) {
		n := int64(len(orders.Items(i)))
		want += n * (n - 1) / 2 // they ascend
	}
	for _, from := range []string{"o.items a JOIN o.items b WHERE a.kind < b.kind", "o.items a JOIN o.items b ON a.kind < b.kind"} {
		var got int64
		if err := db.QueryRow("SELECT COUNT(*) FROM orders o JOIN " + from).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d (%v), want %d", from, got, err, want)
		}
	}
}
