// Package expr is typed expressions over batches: what SQL computes row by row.
// expr/aggregate computes over groups of rows; expr/probe says what a predicate
// proves about rows that have not been read.
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
// An Evaluator (a Filter for conditions) is a tree of kernel.Nodes with the same
// shape as the expression and the scratch memory of one goroutine. It works on
// whole batches; expr/internal/kernel has the operations. What is not strict
// (AND, CASE, COALESCE …) is here: it narrows the rows itself and hands its
// operands only the rows that they decide, so an error is raised only by a row
// that needs the value.
//
// # Functions
//
// A Function describes a scalar function: names, signatures, binder, and what is
// known about its results. The functions themselves are in expr/function, whose
// package comment says how to add one.
package expr
