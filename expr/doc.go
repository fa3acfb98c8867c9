// Package expr is typed expressions over batches: what SQL computes row by row.
// What it computes over groups of rows is in expr/aggregate, and what a condition
// proves about rows that nobody has read in expr/probe.
//
// # Building
//
// An Expr is a tree of immutable nodes. The New functions are the only way to
// make one, and they do all that can be done before the first row: they check
// types, insert casts, give literals the type of what they meet, push NOT
// inwards, and fold constants. So a comparison's two sides have one storage,
// a column of INTEGER is compared with 1.5 as "i < 2", and nothing is left to
// decide per row. Which types meet where is in coerce.go.
//
// # Evaluating
//
// An Evaluator (a Filter for conditions) is a tree of nodes with the same shape
// and the scratch memory of one goroutine. It works on whole batches:
//
//	Expr --compile--> node
//	node.eval(frame, rows) -> vector of all rows, computed for those listed
//	chooser.choose(frame, rows, into) -> the rows where a condition is TRUE
//
// Most nodes are strict: NULL where an operand is. For these there is one piece
// of machinery (strict.go, predicate.go) that deals with forms and NULLs, and
// kernels that are loops over slices. It runs an operation once where all
// operands are constant, once per dictionary entry where one is a dictionary
// and the others are constant, and else over flat vectors. A kernel that may
// fail or is expensive is shown only rows that exist and are not NULL; a cheap
// one runs over everything, which costs less than looking. What is not strict
// (AND, CASE, COALESCE …) narrows the rows itself and hands its operands only
// the rows that they decide, so an error is raised only by a row that needs the
// value.
//
// # Adding a function
//
// A function is an entry in its family's table (func_*.go): a name and a binder
// that checks the arguments and binds a kernel, usually made by map1 and its
// kin of a function of one row.
package expr
