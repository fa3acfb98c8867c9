package dialect

import (
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/planner/ast"
)

// methods are the ways to sample; those that are true keep the exact number of rows.
var methods = map[string]bool{"RESERVOIR": true, "BERNOULLI": false, "SYSTEM": false}

// sample reads what comes after USING SAMPLE and TABLESAMPLE: 10, 10 ROWS, 10%,
// 10 PERCENT (bernoulli, 42), reservoir(10%) REPEATABLE (42).
func (p *parser) sample() *ast.Sample {
	first := p.pos
	s := &ast.Sample{}
	if exact, ok := methods[p.cur().upper]; ok && p.ahead(1).op("(") {
		p.advance()
		p.advance()
		p.sampleSize(s)
		p.method(s, exact)
		p.need(")")
	} else {
		paren := p.op("(")
		p.sampleSize(s)
		if paren {
			p.need(")")
		}
		p.method(s, !s.Percent)
		if p.op("(") {
			p.sampleMethod(s)
		}
	}
	if p.words("REPEATABLE") {
		p.need("(")
		p.seed(s)
		p.need(")")
	}
	s.Span = p.span(first)
	return s
}

// sampleSize reads a number of rows or a percentage.
func (p *parser) sampleSize(s *ast.Sample) {
	t := p.cur()
	n, err := strconv.ParseFloat(t.text, 64)
	if t.kind != tNumber || err != nil {
		p.unexpected("a number of rows or a percentage")
		return
	}
	p.advance()
	s.Amount = n
	switch {
	case p.op("%") || p.words("PERCENT"):
		s.Percent = true
	default:
		p.words("ROWS")
	}
	if s.Percent && n > 100 {
		p.fail(t, "a sample has at most 100%% of the rows")
	}
	if !s.Percent && n != float64(int64(n)) {
		p.fail(t, "a number of rows is a whole number")
	}
}

// method notes how to sample. Only a reservoir holds a number of rows.
func (p *parser) method(s *ast.Sample, exact bool) {
	s.Exact = exact
	if !s.Percent && !exact {
		p.fail(p.prev(), "a number of rows needs the method reservoir; the others take a percentage")
	}
}

// sampleMethod reads bernoulli) and bernoulli, 42) after a size.
func (p *parser) sampleMethod(s *ast.Sample) {
	t := p.cur()
	exact, ok := methods[strings.ToUpper(t.text)]
	if !ok {
		p.unexpected("reservoir, bernoulli or system")
		return
	}
	p.advance()
	p.method(s, exact)
	if p.op(",") {
		p.seed(s)
	}
	p.need(")")
}

func (p *parser) seed(s *ast.Sample) {
	t := p.cur()
	n, err := strconv.ParseUint(t.text, 10, 64)
	if t.kind != tNumber || err != nil {
		p.unexpected("a whole number")
		return
	}
	p.advance()
	s.Seed = &n
}
