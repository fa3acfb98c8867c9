package scalar

// Op is an operator of one or two operands.
type Op uint8

// The operators.
const (
	OpNone Op = iota
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpAdd
	OpSub
	OpMul
	OpDiv    // DOUBLE for integers and decimals
	OpIntDiv // DIV
	OpMod
	OpConcat
	OpAnd
	OpOr
	OpBitAnd
	OpBitOr
	OpBitXor
	OpShiftLeft
	OpShiftRight
	OpBitNot // one operand
)

var opText = [...]string{
	OpNone: "?", OpEq: "=", OpNe: "<>", OpLt: "<", OpLe: "<=", OpGt: ">", OpGe: ">=",
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpIntDiv: "DIV", OpMod: "%", OpConcat: "||",
	OpAnd: "AND", OpOr: "OR", OpBitAnd: "&", OpBitOr: "|", OpBitXor: "^",
	OpShiftLeft: "<<", OpShiftRight: ">>", OpBitNot: "~",
}

// String is the operator in SQL.
func (o Op) String() string {
	if int(o) < len(opText) {
		return opText[o]
	}
	return "?"
}

// IsComparison reports whether the operator is one of the six comparisons.
func (o Op) IsComparison() bool { return o >= OpEq && o <= OpGe }

// Negate is the comparison that is TRUE when o is FALSE. It always exists, because
// values (NaN included) are totally ordered.
func (o Op) Negate() Op {
	switch o {
	case OpEq:
		return OpNe
	case OpNe:
		return OpEq
	case OpLt:
		return OpGe
	case OpLe:
		return OpGt
	case OpGt:
		return OpLe
	case OpGe:
		return OpLt
	}
	return OpNone
}

// Flip is the comparison with its operands exchanged.
func (o Op) Flip() Op {
	switch o {
	case OpLt:
		return OpGt
	case OpLe:
		return OpGe
	case OpGt:
		return OpLt
	case OpGe:
		return OpLe
	}
	return o
}
