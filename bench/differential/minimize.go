package differential

// minimize makes the query smaller while it fails: it drops clauses, replaces
// expressions by their arguments or by literals, joins by one of their sides and set
// operations by one of theirs, until nothing more can go. A replacement that makes the
// query invalid does not fail in the same way, and is taken back.
func minimize(q *query, fails func(string) bool) {
	tries := 600
	for again := true; again; {
		again = false
		m := &reducer{}
		m.query(q)
		for _, try := range m.tries {
			if tries--; tries < 0 {
				return
			}
			undo := try()
			if undo == nil {
				continue
			}
			if fails(q.String()) {
				again = true
				break // the tree has changed: collect anew
			}
			undo()
		}
	}
}

// A reducer collects what may be tried. Each try changes the tree and returns how to
// take that back.
type reducer struct {
	tries []func() func()
}

func replace[T any](m *reducer, place *T, value T) {
	m.tries = append(m.tries, func() func() {
		old := *place
		*place = value
		return func() { *place = old }
	})
}

func dropEach[T any](m *reducer, list *[]T) {
	for i := range *list {
		m.tries = append(m.tries, func() func() {
			old := *list
			*list = append(append([]T(nil), old[:i]...), old[i+1:]...)
			return func() { *list = old }
		})
	}
}

func (m *reducer) query(q *query) {
	dropEach(m, &q.with)
	if q.limit != "" {
		replace(m, &q.limit, "")
	}
	dropEach(m, &q.order)
	if q.body != nil {
		m.selection(q.body)
	} else {
		for _, side := range q.sides {
			side := *side
			m.tries = append(m.tries, func() func() {
				old := *q
				with, order, limit := q.with, q.order, q.limit
				*q = side
				if len(with) > 0 {
					q.with = append(append([]*cte(nil), with...), side.with...)
				}
				if len(order) > 0 {
					q.order, q.limit = order, limit
				}
				return func() { *q = old }
			})
		}
		for _, side := range q.sides {
			m.query(side)
		}
	}
	for _, c := range q.with {
		m.query(c.query)
	}
	for _, o := range q.order {
		m.expr(&o.expr)
	}
}

func (m *reducer) selection(s *selection) {
	if s.where != nil {
		replace(m, &s.where, nil)
	}
	if s.having != nil {
		replace(m, &s.having, nil)
	}
	if s.qualify != nil {
		replace(m, &s.qualify, nil)
	}
	if s.distinct != "" {
		replace(m, &s.distinct, "")
	}
	if s.window != "" {
		replace(m, &s.window, "")
	}
	if s.sets != "" {
		replace(m, &s.sets, "")
	}
	if len(s.items) > 1 {
		dropEach(m, &s.items)
	}
	if s.from != nil {
		replace(m, &s.from, nil)
		m.from(&s.from)
	}
	for _, place := range []**expr{&s.where, &s.having, &s.qualify} {
		if *place != nil {
			m.expr(place)
		}
	}
	for i := range s.items {
		m.expr(&s.items[i])
	}
}

func (m *reducer) from(place **from) {
	f := *place
	if f.query != nil {
		m.query(f.query)
	}
	if f.join == "" {
		return
	}
	replace(m, place, f.left)
	replace(m, place, f.right)
	if f.on != nil {
		m.expr(&f.on)
	}
	m.from(&f.left)
	m.from(&f.right)
}

func (m *reducer) expr(place **expr) {
	e := *place
	if len(e.args) > 0 || e.query != nil {
		for _, arg := range e.args {
			if arg.typ == e.typ {
				replace(m, place, arg)
			}
		}
		replace(m, place, &expr{typ: e.typ, form: simple[e.typ]})
	}
	for i := range e.args {
		m.expr(&e.args[i])
	}
	if e.query != nil {
		m.query(e.query)
	}
}

var simple = map[typ]string{
	integer: "1", double: "1e0", text: "'a'", boolean: "TRUE", date: "DATE '2020-01-31'", decimal: "0.25::DECIMAL(9,2)",
	timestamp: "TIMESTAMP '2020-01-31 10:11:12'", list: "[1, 2]", structure: "{'a': 1, 'b': 'a'}",
	mapping: "MAP {1: 'a'}", interval: "INTERVAL '1 day'", zoned: "TIMESTAMPTZ '2020-01-31 10:11:12+00'",
}
