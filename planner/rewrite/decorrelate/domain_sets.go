package decorrelate

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/planner/logical"
	"github.com/parquetsql/parquetsql/vector"
)

// pushSets makes the columns of the domain keys of every grouping set. A set without
// keys, which makes a row where there is nothing to group, is an aggregate on its own:
// it has a row for each row of the domain.
func (d *domain) pushSets(n *logical.GroupingSets) (logical.Node, error) {
	in, err := d.push(n.In)
	if err != nil {
		return nil, err
	}
	w := &logical.With{ID: d.r.ids.NewCommon(), Name: "grouped rows", Def: in}
	keyed := *n
	keyed.In, keyed.Keys, keyed.Sets = reuse(w, in.Columns()), d.handOn(n.Keys), nil
	out := n.Columns()
	u := &logical.Union{Output: d.addColumns(out)}
	numbers := n.Numbers()
	for i, set := range n.Sets {
		if keys := len(n.Keys); set != logical.Grouping(1)<<keys-1 {
			keyed.Sets = append(keyed.Sets, set)
			continue
		}
		total, from, err := d.total(n, reuse(w, in.Columns()), numbers[i])
		if err != nil {
			return nil, err
		}
		u.In, u.From = append(u.In, total), append(u.From, from)
	}
	if len(u.In) == 0 {
		keyed.In = in
		return &keyed, nil
	}
	if len(keyed.Sets) > 0 {
		var from []logical.ColumnID
		for _, c := range u.Output {
			from = append(from, c.ID)
		}
		u.In, u.From = append(u.In, &keyed), append(u.From, from)
	}
	w.Body = u
	return w, nil
}

// total is the rows of a grouping set without keys, and its columns in the order of
// those of the grouping sets and the domain.
func (d *domain) total(n *logical.GroupingSets, in logical.Node, number int64) (logical.Node, []logical.ColumnID, error) {
	row, err := d.perRow(d.node(), &logical.Aggregate{In: in, Groups: d.handOn(nil), Aggs: n.Aggs})
	if err != nil {
		return nil, nil, err
	}
	p := &logical.Project{In: row}
	for _, k := range n.Keys {
		p.Items = append(p.Items, d.r.computed(k.Name, expr.NewConst(vector.NullOf(k.Type)), true))
	}
	value, err := expr.NewCast(expr.NewConst(vector.IntScalar(number)), n.Number.Type, false)
	if err != nil {
		return nil, nil, err
	}
	p.Items = append(p.Items, d.r.computed(n.Number.Name, value, false))
	for _, a := range n.Aggs {
		p.Items = append(p.Items, logical.HandOn(a.Column))
	}
	for _, c := range d.columns {
		p.Items = append(p.Items, logical.HandOn(c))
	}
	var from []logical.ColumnID
	for _, it := range p.Items {
		from = append(from, it.ID)
	}
	return p, from, nil
}
