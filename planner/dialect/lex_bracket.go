package dialect

// bracket is an open (, [ or {.
type bracket struct {
	kind byte
	// subscript is set for the [ of x[1:2], which may have colons.
	subscript bool
	// keyed is set between the colon and the comma of {'a': x, …}.
	keyed bool
}

// nest follows the brackets before the operator is added to the tokens.
func (l *lexer) nest(op string) {
	top := l.bracket()
	switch op {
	case "(", "[", "{":
		l.open = append(l.open, bracket{kind: op[0], subscript: op == "[" && l.afterOperand()})
	case ")", "]", "}":
		l.open = l.open[:max(len(l.open)-1, 0)]
	case ",":
		top.keyed = false
	case ":":
		top.keyed = true
	}
}

// bracket is the innermost one.
func (l *lexer) bracket() *bracket {
	if len(l.open) == 0 {
		return &bracket{}
	}
	return &l.open[len(l.open)-1]
}

// afterOperand reports whether the last token ends an operand.
func (l *lexer) afterOperand() bool {
	if len(l.toks) == 0 {
		return false
	}
	switch t := l.toks[len(l.toks)-1]; t.kind {
	case tOp:
		return t.text == ")" || t.text == "]" || t.text == "}"
	case tWord:
		return !t.reserved() && t.upper != "ARRAY" || t.upper == "END"
	}
	return true
}

// afterLambda reports whether the last tokens are lambda x, y.
func (l *lexer) afterLambda() bool {
	for i := len(l.toks) - 1; i > 0 && (l.toks[i].kind == tWord || l.toks[i].kind == tQuoted); i -= 2 {
		if l.toks[i-1].word("LAMBDA") {
			return true
		}
		if !l.toks[i-1].op(",") {
			return false
		}
	}
	return false
}

// separates reports whether the colon at the cursor stands between a key and its value or
// between the bounds of a slice, and so begins no placeholder although a name follows.
func (l *lexer) separates() bool {
	switch b := l.bracket(); {
	case b.kind == '{':
		return !b.keyed && l.afterOperand()
	case l.afterLambda():
		return true
	case b.subscript:
		last := l.toks[len(l.toks)-1]
		if last.op("-") { // a missing end before a step
			last = l.toks[len(l.toks)-2]
			return last.op("[") || last.op(":")
		}
		return l.afterOperand() || last.op("[") || last.op(":")
	}
	return false
}
