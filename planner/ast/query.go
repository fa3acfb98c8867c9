package ast

// Statement is a whole statement: *Query, *Explain, *Show, *Describe, *Summarize or *Set.
type Statement interface{ statement() }

// Explain is EXPLAIN [ANALYZE] [FORMAT=JSON] [DISTRIBUTED] statement.
type Explain struct {
	Analyze, JSON bool
	Statement     Statement
	Distributed   bool // the stages of several machines
}

// ShowKind is what SHOW lists.
type ShowKind uint8

// The lists.
const (
	ShowTables ShowKind = iota
	ShowAllTables
	ShowDatabases
	ShowCreate
	ShowFunctions
	ShowSettings // SHOW VARIABLES, SHOW ALL
	ShowSetting  // SHOW name
	ShowNothing  // a list of MySQL's that is empty here: SHOW ERRORS
	ShowWarnings // what is odd about the location
)

// Show is SHOW [ALL] TABLES [LIKE pattern], SHOW DATABASES, SHOW FUNCTIONS, SHOW CREATE TABLE t.
type Show struct {
	Kind  ShowKind
	Like  *string
	Table *TableName
	Name  string // of the setting, of the list, or of the schema of the tables
}

// Set is SET a = b, c = d.
type Set struct{ Assignments []Assignment }

// Assignment is one name = value of SET.
type Assignment struct {
	Span
	Name, Value string
}

// Describe is DESCRIBE t, SHOW COLUMNS FROM t and DESCRIBE query.
type Describe struct {
	Table *TableName
	Query *Query
	Like  *string
}

// Summarize is SUMMARIZE t, as SELECT * FROM t, and SUMMARIZE query.
type Summarize struct{ Query *Query }

func (*Explain) statement()   {}
func (*Show) statement()      {}
func (*Describe) statement()  {}
func (*Summarize) statement() {}
func (*Set) statement()       {}
func (*Query) statement()     {}

// Query is a whole query, with its WITH, ORDER BY and LIMIT.
type Query struct {
	Span
	With     []CTE
	Body     Body
	OrderBy  []Order
	OrderAll *Order // ORDER BY ALL: by all items in turn, in this direction
	Limit    Expr   // nil: all
	Percent  bool   // LIMIT n %: of the rows
	Offset   Expr   // nil: 0
}

// Materialized says whether a WITH entry is computed once for all its uses.
type Materialized uint8

// The choices. Without a word the planner decides.
const (
	MaterializedAuto Materialized = iota
	MaterializedYes
	MaterializedNo
)

// CTE is one WITH entry.
type CTE struct {
	Span
	Name         string
	Columns      []string
	Query        *Query
	Recursive    bool // WITH RECURSIVE: the query may name the entry
	Materialized Materialized
}

// Body is *Select, *SetOp or *Values, or a *Query in parentheses.
type Body interface{ body() }

// String is the set operation in SQL.
func (k SetKind) String() string { return setNames[k] }

var setNames = [...]string{Union: "UNION", Intersect: "INTERSECT", Except: "EXCEPT"}

// SetKind is the kind of a SetOp.
type SetKind uint8

// The set operations.
const (
	Union SetKind = iota
	Intersect
	Except
)

// SetOp is UNION, INTERSECT or EXCEPT.
type SetOp struct {
	Span
	Kind   SetKind
	All    bool
	ByName bool // UNION BY NAME: columns are united by their names
	L, R   Body
}

// Values is VALUES (…), (…).
type Values struct {
	Span
	Rows [][]Expr
}

// Select is one SELECT block.
type Select struct {
	Span
	Distinct bool
	// DistinctOn is DISTINCT ON (…): the first row for each combination of values.
	DistinctOn []Expr
	Items      []Item
	From       TableExpr // nil: no FROM
	Where      Expr
	GroupBy    []*Grouping
	GroupAll   bool // GROUP BY ALL: by all items without aggregates, if one has one or names a column
	Having     Expr
	Qualify    Expr
	Sample     *Sample // USING SAMPLE; nil: none
}

// GroupKind is the kind of a Grouping.
type GroupKind uint8

// The kinds.
const (
	GroupKeys GroupKind = iota // a, (a, b) or ()
	GroupRollup
	GroupCube
	GroupSets
)

// Grouping is an element of GROUP BY.
type Grouping struct {
	Kind  GroupKind
	Keys  []Expr      // of GroupKeys
	Parts []*Grouping // of the others, those of ROLLUP and CUBE are GroupKeys
}

func (*Select) body() {}
func (*SetOp) body()  {}
func (*Values) body() {}
func (*Query) body()  {}

// Item is one entry of a select list.
type Item struct {
	Expr  Expr
	Alias string // empty: none
	Text  string // the expression as written
	Label string // its name to PostgreSQL
}

// NullsOrder is the place of NULLs in an order.
type NullsOrder uint8

// The places.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// Order is one key of ORDER BY.
type Order struct {
	Expr  Expr
	Desc  bool
	Nulls NullsOrder
}

// TableExpr is an entry of FROM: *TableName, *Derived, *Join, *TableFunction or *Listing.
type TableExpr interface {
	Start() int
	Stop() int
	table()
}

// TableName is a table, a path, or the element table of a column.
type TableName struct {
	Span
	Parts   []string
	Version *Version // nil: the newest
	Alias   string
	Columns []string // t(a, b)
}

// Version says which version of a table is meant: VERSION AS OF 3, TIMESTAMP AS OF '…'.
type Version struct {
	Span
	Time  bool // Value is a time, else a number
	Value Expr
}

// Derived is a query in FROM.
type Derived struct {
	Span
	Query   *Query
	Lateral bool
	Alias   string
	Columns []string
}

// JoinKind is the kind of a Join.
type JoinKind uint8

// The joins. Comma is the comma in FROM: a cross join whose right side may be
// an element table.
const (
	Comma JoinKind = iota
	Inner
	Cross
	Left
	Right
	Full
	Semi
	Anti
	Positional // the n-th row with the n-th row
)

var joinNames = [...]string{
	Comma: ",", Inner: "JOIN", Cross: "CROSS JOIN", Left: "LEFT JOIN", Right: "RIGHT JOIN", Full: "FULL JOIN",
	Semi: "SEMI JOIN", Anti: "ANTI JOIN", Positional: "POSITIONAL JOIN",
}

// String is the join in SQL.
func (k JoinKind) String() string { return joinNames[k] }

// Join combines two tables.
type Join struct {
	Span
	Kind    JoinKind
	L, R    TableExpr
	On      Expr
	Using   []string
	UsingAt Span // the list of names, with its parentheses
	Natural bool
	Asof    bool // each row with the nearest one only
}

func (*TableName) table() {}
func (*Derived) table()   {}
func (*Join) table()      {}
