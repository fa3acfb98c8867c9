package bind

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/planner/ast"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/planner/scope"
	"github.com/parquetsql/parquetsql/vector"
)

// histogram and histogram_values of a table and a column are queries, as in DuckDB. Which one follows
// from the type of the column: numbers and times are counted between bounds, other values by
// themselves.

// isHistogram reports whether a function is one of them.
func isHistogram(name string) bool { return name == "histogram" || name == "histogram_values" }

// The WITH entries of the query.
const (
	valuesEntry = "histogram of"
	binsEntry   = "histogram bins"
)

// mostBins bounds bin_count.
const mostBins = 10_000

// histogram binds a call.
func (b *binder) histogram(f *ast.TableFunction, outer *typer) (logical.Node, *scope.Scope, error) {
	values, err := histogramValues(f)
	if err != nil {
		return nil, nil, err
	}
	bins, technique, err := binning(f)
	if err != nil {
		return nil, nil, err
	}
	_, sc, err := b.derived(&ast.Derived{Span: f.Span, Query: values}, outer)
	if err != nil {
		return nil, nil, err
	}
	text, err := histogramText(strings.EqualFold(f.Name, "histogram"), sc.Sources[0].Columns[0].Type, bins, technique)
	if err != nil {
		return nil, nil, err
	}
	if b.env.Parse == nil {
		return nil, nil, errs.Unsupported("the table function %s here", f.Name)
	}
	q, err := b.env.Parse(b.ctx, text)
	if err != nil {
		return nil, nil, err
	}
	q.With = append([]ast.CTE{{Span: f.Span, Name: valuesEntry, Query: values}}, q.With...)
	d := &ast.Derived{Span: f.Span, Query: q, Alias: f.Alias, Columns: f.Columns}
	if d.Alias == "" {
		d.Alias = f.Name
	}
	b.within++ // its places are not those of the statement
	defer func() { b.within-- }()
	node, sc, err := b.derived(d, outer)
	return node, sc, errs.Within("the query of "+f.Name, err)
}

// histogramValues is SELECT c AS x FROM t of histogram(t, c). A text names the column, too.
func histogramValues(f *ast.TableFunction) (*ast.Query, error) {
	if len(f.Args) < 2 || len(f.Args) > 4 {
		return nil, fmt.Errorf("%s takes a table and a column, and bin_count and technique", f.Name)
	}
	table := &ast.TableName{Span: ast.Span{Pos: f.Args[0].Start(), End: f.Args[0].Stop()}}
	switch x := f.Args[0].(type) {
	case *ast.Ident:
		table.Parts = x.Parts
	case *ast.Literal:
		if x.Kind == ast.String {
			table.Parts = []string{x.Text}
		}
	}
	if table.Parts == nil {
		return nil, fmt.Errorf("%s takes the name of a table", f.Name)
	}
	column := f.Args[1]
	if x, ok := column.(*ast.Literal); ok && x.Kind == ast.String {
		column = &ast.Ident{Span: x.Span, Parts: []string{x.Text}}
	}
	return &ast.Query{Span: f.Span, Body: &ast.Select{Span: f.Span, Items: []ast.Item{{Expr: column, Alias: "x"}}, From: table}}, nil
}

// binning is what the arguments say of the bins.
func binning(f *ast.TableFunction) (bins int, technique string, err error) {
	options := map[string]ast.Expr{}
	for i, x := range f.Args[2:] {
		options[[]string{"bin_count", "technique"}[i]] = x
	}
	for _, o := range f.Options {
		options[strings.ToLower(o.Name)] = o.Value
	}
	bins, technique = 10, "auto"
	for name, x := range options {
		l, ok := x.(*ast.Literal)
		switch {
		case name == "bin_count" && ok && l.Kind == ast.Integer:
			if bins, err = strconv.Atoi(l.Text); err != nil || bins < 1 || bins > mostBins {
				return 0, "", errs.At(x.Start(), x.Stop(), fmt.Errorf("%s: bin_count is from 1 to %d", f.Name, mostBins))
			}
		case name == "technique" && ok && l.Kind == ast.String:
			technique = l.Text
		case name == "bin_count" || name == "technique":
			return 0, "", errs.At(x.Start(), x.Stop(), fmt.Errorf("%s: %s is a constant", f.Name, name))
		default:
			return 0, "", fmt.Errorf("%s has no option %s, only bin_count and technique", f.Name, name)
		}
	}
	return bins, technique, nil
}

// histogramText is the query over the values. drawn says that it is histogram, with a bar for each
// count.
func histogramText(drawn bool, t vector.Type, bins int, technique string) (string, error) {
	var bounds string
	switch technique {
	case "auto":
		if !isMeasured(t) {
			return sampleText(drawn, bins), nil
		}
		bounds = fmt.Sprintf("EQUI_WIDTH_BINS(MIN(x), MAX(x), %d, TRUE)", bins)
	case "sample":
		return sampleText(drawn, bins), nil
	case "equi-width":
		bounds = fmt.Sprintf("EQUI_WIDTH_BINS(MIN(x), MAX(x), %d, FALSE)", bins)
	case "equi-width-nice":
		bounds = fmt.Sprintf("EQUI_WIDTH_BINS(MIN(x), MAX(x), %d, TRUE)", bins)
	case "equi-height":
		var parts []string
		for i := range bins {
			parts = append(parts, strconv.FormatFloat(float64(i+1)/float64(bins), 'g', -1, 64))
		}
		bounds = "QUANTILE_DISC(x, [" + strings.Join(parts, ", ") + "])"
	default:
		return "", fmt.Errorf("there is no technique %q; there are auto, sample, equi-width, equi-width-nice and equi-height", technique)
	}
	if t.Kind == vector.Date {
		bounds = "CAST(" + bounds + " AS DATE[])"
	}
	text := `WITH "` + binsEntry + `" AS (SELECT UNNEST(LIST_SORT(LIST_DISTINCT(` + bounds + `))) AS bin FROM "` + valuesEntry + `"),
counted AS (SELECT b.bin, COUNT(*) AS count FROM "` + valuesEntry + `" v ASOF JOIN "` + binsEntry + `" b ON v.x <= b.bin GROUP BY b.bin),
filled AS (SELECT b.bin, CAST(COALESCE(c.count, 0) AS UBIGINT) AS count FROM "` + binsEntry + `" b LEFT JOIN counted c ON c.bin = b.bin)
`
	if !drawn {
		return text + "SELECT bin, count FROM filled ORDER BY bin", nil
	}
	return text + `SELECT CASE WHEN LAG(bin) OVER (ORDER BY bin) IS NULL THEN CONCAT('x <= ', CAST(bin AS VARCHAR))
ELSE CONCAT(CAST(LAG(bin) OVER (ORDER BY bin) AS VARCHAR), ' < x <= ', CAST(bin AS VARCHAR)) END AS bin,
count, BAR(count, 0, MAX(count) OVER ()) AS bar FROM filled f ORDER BY f.bin`, nil
}

// sampleText counts the most frequent values, and the others together.
func sampleText(drawn bool, bins int) string {
	text := fmt.Sprintf(`WITH "%[1]s" AS (SELECT x AS bin, COUNT(*) AS count FROM "%[2]s" WHERE x IS NOT NULL GROUP BY x ORDER BY 2 DESC, 1 LIMIT %[3]d),
filled AS (SELECT FALSE AS other, bin, CAST(count AS UBIGINT) AS count FROM "%[1]s"
UNION ALL SELECT TRUE, NULL, CAST(all_rows - shown AS UBIGINT) FROM (SELECT COUNT(x) AS all_rows FROM "%[2]s"), (SELECT SUM(count) AS shown FROM "%[1]s") WHERE all_rows > shown)
`, binsEntry, valuesEntry, bins)
	if !drawn {
		return text + "SELECT bin, count FROM filled ORDER BY other, bin"
	}
	return text + `SELECT CASE WHEN other THEN '(other values)' ELSE CAST(bin AS VARCHAR) END AS bin, count, BAR(count, 0, MAX(count) OVER ()) AS bar
FROM filled f ORDER BY other, f.bin`
}

// isMeasured reports whether values of a type lie between bounds that are computed: DuckDB asks
// whether they are BIGINT, DOUBLE or TIMESTAMP without a CAST.
func isMeasured(t vector.Type) bool {
	return t.IsNumeric() || t.Kind == vector.Date || t.Kind == vector.Timestamp
}
