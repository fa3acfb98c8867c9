package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/bind"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/operators"
	"github.com/parquetsql/parquetsql/planner/physical/choose"
	"github.com/parquetsql/parquetsql/planner/rewrite"
	"github.com/parquetsql/parquetsql/planner/rewrite/decorrelate"
)

// TestRulesKeepRows runs queries without any rule, with all, with one alone and
// with one left out: the rows are the same each time.
func TestRulesKeepRows(t *testing.T) {
	rules := rewrite.Rules()
	sets := map[string][]rewrite.Rule{"none": nil, "all": rules}
	for i, r := range rules {
		sets["only "+r.Name] = []rewrite.Rule{r}
		sets["all but "+r.Name] = slices.Concat(rules[:i], rules[i+1:])
	}
	var tuples []string
	for i := range 20 {
		tuples = append(tuples, fmt.Sprintf("('%s', %d)", []string{"Biscoe", "Dream"}[i%2], i))
	}
	list := strings.Join(tuples, ", ")
	for _, sql := range []string{
		"SELECT id FROM birds WHERE mass > 3700 AND island <> 'Biscoe' ORDER BY id",
		"SELECT id + 1 AS x, species, x * 2 FROM birds ORDER BY mass DESC, id LIMIT 3 OFFSET 1",
		"SELECT id * 2, mass FROM birds ORDER BY id LIMIT 2000000 OFFSET 2",
		"SELECT species AS s, COUNT(*) AS n, SUM(mass) FROM birds WHERE s IS NOT NULL GROUP BY s HAVING n > 1 ORDER BY n, s",
		"SELECT DISTINCT island, id % 2 AS odd FROM birds ORDER BY odd, island",
		"SELECT id, island FROM birds QUALIFY ROW_NUMBER() OVER (PARTITION BY island ORDER BY mass DESC, id) <= 2 ORDER BY id",
		"SELECT * FROM birds QUALIFY ROW_NUMBER() OVER (PARTITION BY island ORDER BY id DESC) = 1 ORDER BY id",
		"SELECT id, mass FROM birds WHERE id > 1 QUALIFY ROW_NUMBER() OVER (PARTITION BY island ORDER BY species || id::VARCHAR DESC) = 1 ORDER BY id",
		"SELECT DISTINCT ON (island) island, species, mass FROM birds ORDER BY island, id",
		"SELECT DISTINCT ON ({'a': island, 'b': species}) island, mass FROM birds ORDER BY {'a': island, 'b': species}, id DESC",
		"SELECT id, SUM(mass) OVER (PARTITION BY island), COUNT(*) OVER (PARTITION BY species) FROM birds ORDER BY id",
		"SELECT id, SUM(mass) OVER (), COUNT(*) OVER () FROM birds WHERE id > 1 ORDER BY id",
		"SELECT COUNT(*), COUNT(mass), MIN(mass), MAX(species) FROM birds WHERE id > 2",
		"SELECT COUNT(mass::INT), COUNT((mass / 2)::DECIMAL(18,3)::DOUBLE) FILTER (WHERE id > 2), COUNT(TRY_CAST(mass AS TINYINT)) FROM birds",
		"SELECT COUNT(*) FROM birds WHERE 1 = 2",
		"SELECT id FROM birds WHERE id > 0 AND (island, id) IN (" + list + ") ORDER BY id",
		"SELECT id, mass FROM birds WHERE (mass, id) NOT IN (" + strings.NewReplacer("'Biscoe'", "3800", "'Dream'", "3250").Replace(list) + ") ORDER BY id",
		"SELECT id FROM birds WHERE (island, id) NOT IN (" + list + ") ORDER BY id",
		"SELECT COUNT(*), COUNT(a.mass), COUNT(b.mass) FILTER (WHERE b.id > 2), COUNT(1) FROM birds a, birds b, orders o",
		"SELECT a.island, COUNT(*) AS n, COUNT(b.mass) FROM birds a CROSS JOIN birds b WHERE b.id > 2 GROUP BY 1 HAVING n > 3 ORDER BY 1",
		"SELECT c.island, COUNT(a.mass) FROM birds a, orders b, birds c GROUP BY 1 ORDER BY 1",
		"SELECT a.island, COUNT(c.mass) FROM birds a, orders b, birds c GROUP BY 1 ORDER BY 1",
		"SELECT b.island, COUNT(*), COUNT(b.mass) FROM birds a, birds b WHERE a.id > 100 GROUP BY 1 ORDER BY 1",
		"SELECT o.id, i.sku, i.pos FROM orders o, o.items i WHERE i.price >= 10 AND o.id < 3 ORDER BY 1, 3",
		"SELECT id, price FROM orders LEFT JOIN orders.items i ON price > 10 WHERE id > 0 ORDER BY 1",
		"SELECT id, price FROM orders LEFT JOIN orders.items i WHERE price IS NULL ORDER BY 1",
		"SELECT id / 1 AS a, a / a AS b, b / b AS c, c / c AS d, d / d AS e, e / e + a AS f FROM birds WHERE f > 3 ORDER BY f, id LIMIT 4",
		"SELECT id, LEN(items), items IS NULL FROM orders WHERE id > 0 ORDER BY 1",
		"SELECT SUM(LEN(items)), COUNT(*) FILTER (items IS NOT NULL) FROM orders",
		"SELECT island, id FROM birds ORDER BY id LIMIT 0",
		"SELECT id FROM birds b WHERE EXISTS (SELECT 1 FROM orders o WHERE o.id = b.id) AND id NOT IN (SELECT mass FROM birds) ORDER BY id",
		"SELECT id, (SELECT COUNT(*) FROM birds x WHERE x.mass < b.mass AND x.island = b.island) AS n FROM birds b ORDER BY id",
		"SELECT id FROM birds b WHERE EXISTS (SELECT 1 FROM birds x WHERE x.mass < b.mass AND x.island = b.island) ORDER BY id",
		"SELECT id FROM birds b WHERE NOT EXISTS (SELECT 1 FROM birds x WHERE x.mass >= b.mass + 1 AND x.species = b.species) ORDER BY id",
		"SELECT id FROM birds b WHERE mass > (SELECT AVG(x.mass) FROM birds x WHERE x.species = b.species) ORDER BY id",
		"SELECT id, (SELECT MAX(x.mass) FROM birds x WHERE x.mass < b.mass AND x.island = b.island) AS n FROM birds b ORDER BY id",
		"SELECT b.id, z.id, z.species FROM birds b LEFT JOIN LATERAL (SELECT * FROM birds x WHERE x.island = b.island AND x.id >= b.id + 1 ORDER BY x.id LIMIT 1) z ON TRUE ORDER BY b.id",
		"SELECT a.id, b.id FROM birds a LEFT JOIN birds b ON a.species = b.species AND a.id > 2 WHERE b.mass > 3600 ORDER BY 1, 2",
		"SELECT a.id, b.id FROM birds a FULL JOIN birds b ON a.mass = b.mass AND a.id < b.id WHERE b.id IS NULL OR b.island = 'Biscoe' ORDER BY 1, 2",
		"SELECT a.id, b.id, c.id FROM birds a, birds b, birds c WHERE a.island = b.island AND b.island = c.island AND a.id = 4 AND (b.id = 1 AND c.id = 3 OR b.id = 5 AND c.id = 4) ORDER BY 1, 2, 3",
		"SELECT a.*, b.*, o.id FROM birds a JOIN birds b ON a.id = b.id JOIN orders o ON o.id = b.id WHERE a.id < 3 ORDER BY 1",
		"SELECT a.id, b.id FROM birds a LEFT JOIN birds b ON a.island = b.island, birds c WHERE c.id = a.id AND a.mass > (SELECT mass FROM birds WHERE id = 2) AND c.species = (SELECT species FROM birds WHERE id = 3) ORDER BY 1, 2",
		"SELECT a.id, b.mass FROM birds a LEFT JOIN birds b ON a.mass = b.id AND b.mass > 3000 WHERE b.id IS NULL AND COALESCE(b.mass, a.id) < 5 ORDER BY 1",
		"SELECT a.id, b.id FROM birds a RIGHT JOIN birds b ON a.id = b.id + 2 AND a.mass IS NULL WHERE a.id IS NULL AND (a.mass IS NULL OR b.id = 2) ORDER BY 2",
		"SELECT island, species, COUNT(*) FROM birds GROUP BY ALL HAVING island = 'Biscoe' AND COUNT(*) > 0 OR species = 'Adelie' AND island = 'Dream' OR island > 'T' ORDER BY 1, 2",
		"SELECT a.id FROM birds a LEFT JOIN (SELECT island, COUNT(*) AS n FROM birds GROUP BY island) g ON a.island = g.island ORDER BY 1",
		"SELECT a.id, g.n FROM birds a RIGHT JOIN (SELECT island AS i, COUNT(*) AS n FROM birds GROUP BY island) g ON a.island = g.i AND a.id > 3 WHERE g.i > 'C' ORDER BY 1, 2",
		"SELECT a.id FROM birds a JOIN birds b ON a.id = b.id WHERE a.id > 4 AND b.id < 3",
		"SELECT id, v.kind, v->>'$.at.x[1]' FROM events WHERE v.n = 1 ORDER BY v.kind",
		"SELECT v.n, COUNT(*) FROM events GROUP BY v.n ORDER BY v.n",
		"SELECT id, VARIANT_GET(v, '$.n', 'BIGINT') + 1, v::VARCHAR FROM events WHERE TRY_CAST(v.n AS BIGINT) = 1 ORDER BY id",
		"SELECT id, x->>'$.x[0]', u.key, y FROM events CROSS JOIN UNNEST(v) u(x) LEFT JOIN UNNEST(x->'$.x') w(y) ON TRUE WHERE u.key <> 'n' ORDER BY id, u.pos, w.pos",
		"SELECT e.id, f.id, f.v.at FROM events e LEFT JOIN (SELECT id, v, v.kind AS k FROM events) f ON e.v.n = f.v.n AND f.k = 'a' ORDER BY 1, 2",
		"SELECT id FROM events e WHERE EXISTS (SELECT 1 FROM events f WHERE f.v.n = e.v.n AND f.id <> e.id) ORDER BY id",
		"SELECT island, SUM(CASE WHEN id > 2 THEN mass END), COUNT(CASE WHEN mass > 3700 THEN 1 END), MIN(CASE species WHEN 'Adelie' THEN id END), AVG(CASE WHEN id > 1 THEN mass ELSE 0 END) FROM birds GROUP BY island ORDER BY 1",
		"SELECT SUM(id::SMALLINT + 1), AVG(2 - id::SMALLINT), SUM(id::SMALLINT) FROM birds",
		"SELECT island, COUNT(mass::DOUBLE), COUNT(mass::DOUBLE * 2) FILTER (id > 1), COUNT(-mass::HUGEINT) FROM birds GROUP BY island ORDER BY 1",
		"SELECT island, UPPER(island), id % 2 AS odd, (id % 2) + 1, SUM(mass::SMALLINT * 2) FROM birds GROUP BY ALL ORDER BY 1, 3",
		"SELECT island, COUNT(DISTINCT species), COUNT(*), SUM(mass), AVG(mass), MIN(id), SUM(mass) FILTER (WHERE id > 2) FROM birds GROUP BY island ORDER BY 1",
		"SELECT MAX(COALESCE(mass, 9999)), MIN(COALESCE(mass, 1)), COUNT(COALESCE(mass, 1)), MAX(COALESCE(id, 99)), COUNT(COALESCE(id, 1)) FROM birds WHERE id > 1",
		"SELECT [island, species], COUNT(*), MAX([island]) FROM birds GROUP BY 1 ORDER BY 1",
		"SELECT DISTINCT {'i': island, 'l': [id % 2, 7]}, [mass] FROM birds ORDER BY 1, 2",
		"SELECT UPPER(island) AS u, COUNT(*) FILTER (WHERE UPPER(species) = 'ADELIE'), MAX(LEN(UPPER(species)) + 1), MIN(UPPER(island) || 'x') FILTER (WHERE UPPER(species) <> 'ADELIE') FROM birds GROUP BY 1 ORDER BY 1",
		"SELECT m, COUNT(DISTINCT species), SUM(DISTINCT n), COUNT(DISTINCT n) FILTER (WHERE n > 1) FROM (SELECT species, MIN(island) AS m, COUNT(*) AS n FROM birds GROUP BY species) GROUP BY m ORDER BY m",
		"SELECT island, COUNT(DISTINCT species), COUNT(DISTINCT mass) FROM (SELECT DISTINCT species, island, mass > 3700 AS mass FROM birds) GROUP BY island ORDER BY 1",
		"SELECT island, COUNT(DISTINCT species), SUM(DISTINCT mass) FILTER (WHERE mass > 3000) FROM (SELECT DISTINCT species, island, MAX(mass) AS mass FROM birds GROUP BY species, island) GROUP BY island ORDER BY 1",
		"SELECT COUNT(DISTINCT [mass]), COUNT(DISTINCT (island, mass)), COUNT(DISTINCT mass) FROM birds",
		"SELECT island, COUNT(DISTINCT [mass]), COUNT(DISTINCT [species, NULL]) FROM birds GROUP BY island ORDER BY 1",
		"SELECT COUNT(*) FROM (SELECT a.id FROM birds a LEFT JOIN birds b ON a.species = b.species LIMIT 4) x",
	} {
		want := rowsBy(t, sql, nil)
		for name, set := range sets {
			if got := rowsBy(t, sql, set); got != want {
				t.Errorf("%s with the rules %s:\n got %q\nwant %q", sql, name, got, want)
			}
		}
	}
}

// withDecorrelate is the rules and the one without which subqueries have no operators.
func withDecorrelate(rules []rewrite.Rule) []rewrite.Rule {
	const name = "decorrelate"
	if slices.ContainsFunc(rules, func(r rewrite.Rule) bool { return r.Name == name }) {
		return rules
	}
	return append([]rewrite.Rule{{Name: name, Apply: decorrelate.Rule}}, rules...)
}

// rowsBy is the rows of a query whose plan some rules have rewritten.
func rowsBy(t *testing.T, sql string, rules []rewrite.Rule) string {
	t.Helper()
	s, err := Parse(t.Context(), sql)
	if err != nil {
		t.Fatal(err)
	}
	q, err := bind.Query(context.Background(), &bind.Env{Catalog: birds(), Now: time.Unix(0, 0)}, s.tree.(*ast.Query))
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	q = q.Rendered()
	for _, r := range withDecorrelate(rules) {
		if q.Root, err = r.Apply(q); err != nil {
			t.Fatalf("%s: %s: %v", sql, r.Name, err)
		}
		if err := logical.Check(q.Root, logical.Set{}); err != nil {
			t.Fatalf("%s: %s: %v", sql, r.Name, err)
		}
	}
	chosen, err := choose.Plan(q.Root, choose.Resources{Workers: 2})
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	p, err := operators.Build(context.Background(), chosen, operators.Limits{}, nil)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer p.Close()
	var out []string
	for {
		b, err := p.Next(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if b == nil {
			return strings.Join(out, "\n")
		}
		for i := range b.Rows() {
			for _, c := range b.Cols {
				out = append(out, cell(c.Get(b.Row(i))))
			}
			out = append(out, ";")
		}
	}
}

// TestManyJoins: a query may join more tables than are put in order together.
func TestManyJoins(t *testing.T) {
	for _, join := range []string{"JOIN", "LEFT JOIN"} {
		sql := "SELECT COUNT(*), SUM(v99.a) FROM (VALUES (1), (2)) v0(a)"
		for i := range 99 {
			sql += fmt.Sprintf(" %s (VALUES (1), (3)) v%d(a) ON v%d.a = v%d.a", join, i+1, i, i+1)
		}
		want := "1\n1\n;"
		if join == "LEFT JOIN" {
			want = "2\n1\n;"
		}
		if got := rowsBy(t, sql, rewrite.Rules()); got != want {
			t.Errorf("100 tables, %s: %q, want %q", join, got, want)
		}
	}
}
