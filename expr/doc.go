// Package expr is typed expressions over batches: what SQL computes row by row.
// expr/aggregate computes over groups of rows; expr/probe says what a predicate
// proves about rows that have not been read.
//
// # Building
//
// An Expr is a tree of immutable nodes. The New functions are the only way to
// make one, and they do all that can be done before the first row: they check
// types, insert casts, convert literals to the type of the other operand, push NOT
// inwards, and fold constants. So both sides of a comparison have the same storage,
// "i < 1.5" over an INTEGER column becomes "i < 2", and nothing is left to decide
// per row. coerce.go decides which types operands are cast to.
//
// # Evaluating
//
// An Evaluator (a Filter for conditions) is a tree of kernel.Nodes with the same
// shape as the expression and the scratch memory of one goroutine. It works on
// whole batches; expr/internal/kernel has the operations. The nodes that are not
// strict (AND, CASE, COALESCE …) are here: they evaluate each operand only for the
// rows that need its value, so no other row can raise an error.
//
// # Functions
//
// A Function describes a scalar function: names, signatures, binder, and what is
// known about its results. The functions themselves are in expr/function, whose
// package comment says how to add one.
//
// # Files
//
//   - expr.go, nodes.go, nodes_rebuild.go, text.go: the nodes, their parts and their text
//   - once.go: equal expressions among many
//   - span.go: where expressions are in the statement, for errors
//   - build_arith.go, build_compare.go, build_concat.go, build_logic.go, build_temporal.go,
//     case.go, in.go, like.go, like_pattern.go: operators are built
//   - coerce.go, common_nested.go, literal.go, collation.go: types and literals of operands
//   - cast.go, cast_error.go, cast_nested.go, render.go: casts, and values as text
//   - nested_value.go, nested_structs.go, member.go, variant.go: parts of values, and values of parts
//   - extract.go, extract_form.go, extract_known.go, extract_ask.go, extract_node.go, extract_entries.go: what is
//     taken from VARIANTs, the value at a path in a form or its entries
//   - function.go, signature.go, lambda.go, alias.go: calls
//   - argument.go: lists that are arguments of the query
//   - compile.go, compile_decimal.go, compiler.go, evaluator.go, filter.go, logic.go, one_column.go, by_dictionary.go, words.go, distinct_from.go, guard.go:
//     evaluation
//   - order_key.go, sortkey.go: what sorts rows
//   - bounds.go, total.go, length.go, width.go: what is known of a value before it is computed
package expr
