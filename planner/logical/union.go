package logical

import "github.com/parquetsql/parquetsql/expr"

// Union is all rows of all inputs: UNION ALL. The columns that are united have the
// same type; they have new IDs. The rows have no order.
type Union struct {
	In     []Node
	Output Columns
	From   [][]ColumnID // by input, by column of Output: the column of the input
}

// NewUnion unites the columns of the inputs by their position. Names are those of
// the first input.
func NewUnion(ids *IDs, inputs ...Node) *Union {
	u := &Union{In: inputs}
	for i, in := range inputs {
		columns := in.Columns()
		from := make([]ColumnID, len(columns))
		for k, c := range columns {
			from[k] = c.ID
			if i == 0 {
				c.ID = ids.New()
				u.Output = append(u.Output, c)
			} else {
				u.Output[k].Nullable = u.Output[k].Nullable || c.Nullable
				u.Output[k].Counts = u.Output[k].Counts && c.Counts
			}
		}
		u.From = append(u.From, from)
	}
	return u
}

func (u *Union) Columns() Columns   { return u.Output }
func (u *Union) Inputs() []Node     { return u.In }
func (u *Union) Exprs() []expr.Expr { return nil }

func (u *Union) Over(in []Node) (Node, error) {
	return &Union{In: in, Output: u.Output, From: u.From}, nil
}

// Narrow drops columns.
func (u *Union) Narrow(need Set) Node {
	c := &Union{In: u.In, From: make([][]ColumnID, len(u.In))}
	for k, o := range u.Output {
		if !need.Has(o.ID) {
			continue
		}
		c.Output = append(c.Output, o)
		for i := range u.From {
			c.From[i] = append(c.From[i], u.From[i][k])
		}
	}
	return c
}

// Recursive is WITH RECURSIVE: the rows of Init, then the rows that Step makes of
// them, then those that it makes of these, until there are none. In Step a Reuse with
// this ID produces the rows of the previous step only.
type Recursive struct {
	ID         CommonID
	Name       string
	Init, Step Node
	Output     Columns
	From       [2][]ColumnID // by column of Output: the column of Init, that of Step
	// All keeps rows that are equal to earlier ones, as UNION ALL does.
	All bool
}

func (r *Recursive) Columns() Columns   { return r.Output }
func (r *Recursive) Inputs() []Node     { return []Node{r.Init, r.Step} }
func (r *Recursive) Exprs() []expr.Expr { return nil }

func (r *Recursive) Over(in []Node) (Node, error) {
	c := *r
	c.Init, c.Step = in[0], in[1]
	return &c, nil
}

// Narrow keeps all columns: which rows there are depends on them.
func (r *Recursive) Narrow(Set) Node { return r }
