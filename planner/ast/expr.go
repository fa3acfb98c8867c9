// Package ast is the statement as the user wrote it: a tree of our own, so that
// the binder depends neither on the parser's types nor on its grammar. Every
// expression knows its bytes in the text, for messages and for the names of
// result columns.
//
// A node says what was written, not what it means: names are unresolved, string
// literals have no type, BETWEEN is still BETWEEN.
package ast

// Span is a range of bytes of the user's text.
type Span struct{ Pos, End int }

// Start is where the node begins.
func (s Span) Start() int { return s.Pos }

// Stop is the byte after the node.
func (s Span) Stop() int { return s.End }

// Expr is any expression.
type Expr interface {
	Start() int
	Stop() int
	expr()
}

// Ident is a column name with any qualifiers: address.city, t.x, "odd name".
type Ident struct {
	Span
	Parts []string
}

// LiteralKind is the form of a literal.
type LiteralKind uint8

// The kinds of literals.
const (
	Null LiteralKind = iota
	True
	False
	Integer // digits only
	Decimal // with a point
	Double  // with an exponent
	String
	Blob // x'00ff' or 0x00ff; Text holds the bytes
)

// Literal is a constant in the text.
type Literal struct {
	Span
	Kind LiteralKind
	Text string // without quotes, escapes resolved
}

// Typed is DATE '2020-01-01' and the like.
type Typed struct {
	Span
	Type TypeName
	Text string
}

// Interval is INTERVAL '1' YEAR, INTERVAL '1 month' (no unit) or INTERVAL x DAY.
type Interval struct {
	Span
	Value Expr
	Unit  string // upper case, singular; empty if Value contains it
}

// Op is an operator of one or two operands.
type Op uint8

// The operators.
const (
	Add Op = iota
	Sub
	Mul
	Div
	IntDiv
	Mod
	Pow
	Concat
	BitAnd
	BitOr
	ShiftLeft
	ShiftRight
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Neg
	Plus
	BitNot
	Not
	Overlaps   // &&
	Quotient   // //, which divides integers as DIV does, and other numbers as /
	StartsWith // ^@
	Contains   // @>
	Within     // <@
)

var opNames = [...]string{
	Add: "+", Sub: "-", Mul: "*", Div: "/", IntDiv: "DIV", Mod: "%", Pow: "^", Concat: "||",
	BitAnd: "&", BitOr: "|", ShiftLeft: "<<", ShiftRight: ">>",
	Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=",
	Neg: "-", Plus: "+", BitNot: "~", Not: "NOT", Overlaps: "&&", Quotient: "//", StartsWith: "^@", Contains: "@>", Within: "<@",
}

// String is the operator in SQL.
func (o Op) String() string { return opNames[o] }

// Unary is an operator before its operand.
type Unary struct {
	Span
	Op Op
	X  Expr
}

// Binary is an operator between two operands.
type Binary struct {
	Span
	Op   Op
	L, R Expr
	At   int // where the operator is
}

// Logic is a chain of AND or of OR. It is flat, so that a long chain is not a deep
// tree.
type Logic struct {
	Span
	Or   bool
	Args []Expr
}

// Between is x [NOT] BETWEEN lo AND hi.
type Between struct {
	Span
	X, Lo, Hi Expr
	Not       bool
}

// In is x [NOT] IN (list), x [NOT] IN (query) or x [NOT] IN l, where l is a value with
// elements.
type In struct {
	Span
	X      Expr
	List   []Expr
	Query  *Query
	Within Expr
	Not    bool
}

// LikeKind is the pattern language of a Match.
type LikeKind uint8

// The pattern languages.
const (
	Like LikeKind = iota
	ILike
	Regexp
	IRegexp // with letters of either case
	SimilarTo
	Glob
	Tilde // x ~ pattern: SimilarTo to DuckDB, Regexp to PostgreSQL
)

// Match is x [NOT] LIKE pattern [ESCAPE e] and its variants.
type Match struct {
	Span
	Kind       LikeKind
	X, Pattern Expr
	Escape     Expr // nil: none given
	Not        bool
}

// IsKind is what IS tests for.
type IsKind uint8

// The kinds of IS.
const (
	IsNull IsKind = iota
	IsTrue
	IsFalse
)

// Is is x IS [NOT] NULL, TRUE or FALSE; IS UNKNOWN is IS NULL.
type Is struct {
	Span
	X    Expr
	Kind IsKind
	Not  bool
}

// DistinctFrom is l IS [NOT] DISTINCT FROM r, or l <=> r.
type DistinctFrom struct {
	Span
	L, R      Expr
	Not       bool
	Spaceship bool // <=>, which of LISTs is their cosine distance
}

// Case is CASE in both forms. Operand is nil in the searched form.
type Case struct {
	Span
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is one WHEN … THEN … of CASE.
type When struct{ Cond, Then Expr }

// TypeName is a type as written: upper case words, parameters.
type TypeName struct {
	Span
	Name   string
	Args   []int       // DECIMAL(10, 2); of LIST the length that INT[3] gives
	Fields []TypeField // of LIST (which INT[] is too), MAP and STRUCT
}

// TypeField is a child of a nested type; only those of STRUCT have names.
type TypeField struct {
	Name string
	Type TypeName
}

// Cast is CAST(x AS t), TRY_CAST(x AS t) and x::t.
type Cast struct {
	Span
	X    Expr
	Type TypeName
	Try  bool
}

// Call is a function call, an aggregate or a window function.
type Call struct {
	Span
	Name        string // as written
	Args        []Expr
	ArgNames    []string // of name := x, else empty; nil if no argument has a name
	Star        bool     // COUNT(*)
	Distinct    bool
	OrderBy     []Order // inside the parentheses
	Filter      Expr
	Over        *Window // nil: not a window function
	IgnoreNulls bool
}

// Window is the specification after OVER. Windows of the WINDOW clause that it names are
// already part of it.
type Window struct {
	Partition []Expr
	OrderBy   []Order
	Frame     *Frame // nil: none given
}

// Frame is ROWS, RANGE or GROUPS BETWEEN Start AND End.
type Frame struct {
	Unit       FrameUnit
	Start, End FrameBound
	Exclude    FrameExclude
}

// FrameUnit is what the offsets of a frame count.
type FrameUnit uint8

// The units.
const (
	Range FrameUnit = iota
	Rows
	Groups
)

// FrameBound is one end of a frame.
type FrameBound struct {
	Kind   FrameBoundKind
	Offset Expr // of Preceding and Following
}

// FrameBoundKind is where a frame begins or ends.
type FrameBoundKind uint8

// The bounds.
const (
	UnboundedPreceding FrameBoundKind = iota
	Preceding
	CurrentRow
	Following
	UnboundedFollowing
)

// FrameExclude is what a frame leaves out.
type FrameExclude uint8

// The exclusions.
const (
	ExcludeNone FrameExclude = iota
	ExcludeRow
	ExcludeGroup
	ExcludeTies
)

// Subscript is x[i].
type Subscript struct {
	Span
	X, Index Expr
}

// Slice is x[from:to:step]; bounds that are absent are nil.
type Slice struct {
	Span
	X, From, To, Step Expr
}

// Arrow is x->path and x->>path.
type Arrow struct {
	Span
	X, Path Expr
	Text    bool // ->>
}

// Collate is x COLLATE a.b, where the names are a and b.
type Collate struct {
	Span
	X     Expr
	Names []string
}

// Field is a field of a value other than a plain name: f(x).a, xs[1].a.
type Field struct {
	Span
	X    Expr
	Name string
}

// Row is (a, b, …).
type Row struct {
	Span
	Items []Expr
}

// Subquery is a query in parentheses that is used as a value.
type Subquery struct {
	Span
	Query *Query
}

// Exists is EXISTS (query).
type Exists struct {
	Span
	Query *Query
}

// Lambda is lambda x, i: body, and (x, i) -> body.
type Lambda struct {
	Span
	Params []string
	Body   Expr
}

func (*Ident) expr()        {}
func (*Literal) expr()      {}
func (*Typed) expr()        {}
func (*Interval) expr()     {}
func (*Unary) expr()        {}
func (*Binary) expr()       {}
func (*Logic) expr()        {}
func (*Between) expr()      {}
func (*In) expr()           {}
func (*Match) expr()        {}
func (*Is) expr()           {}
func (*DistinctFrom) expr() {}
func (*Case) expr()         {}
func (*Cast) expr()         {}
func (*Call) expr()         {}
func (*Subscript) expr()    {}
func (*Slice) expr()        {}
func (*Arrow) expr()        {}
func (*Field) expr()        {}
func (*Collate) expr()      {}
func (*Row) expr()          {}
func (*Lambda) expr()       {}
func (*Subquery) expr()     {}
func (*Exists) expr()       {}
func (*Quantified) expr()   {}
