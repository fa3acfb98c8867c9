// Package kernel evaluates operations over vectors; it does not depend on
// expressions. A Node is an operation's state in one goroutine, with the memory that
// later batches reuse:
//
//	Node.Eval(frame, rows)            -> a vector of all rows, computed for those listed
//	Selector.Select(frame, rows, into) -> the rows where a condition is TRUE
//
// Most operations are strict: the result is NULL where an operand is. NewStrict
// (for values) and NewCondition (for conditions) handle the forms of vectors and
// NULLs for all of them: an operation runs once where all operands are constant,
// once per entry where one is a dictionary and the others are constant, and else
// over flat vectors. The operation itself is a Func or a Predicate, a loop over
// slices.
//
//	eval.go strict.go kernel.go   nodes, and operations of the rows of a batch: NULLs, constants, dictionaries
//	predicate.go compare.go compare_struct.go compare_text.go
//	                              conditions, and comparisons among them
//	parts.go pieces.go errors.go  batches and values that are worked on in pieces; errors that say what is computed
//	arith.go arith_decimal.go arith_product.go arith_huge.go arith_unsigned.go arith_time.go
//	                              arithmetic by types
//	arith_divide.go divide.go     integer division, by a number that is the same in all rows and by others
//	cast_plan.go cast_number.go cast_decimal.go cast_text.go cast_time.go cast_geometry.go cast_json.go cast_literal.go
//	                              casts by types
//	cast_nested_text.go cast_nested_tokens.go
//	                              texts of LISTs, STRUCTs and MAPs
//	text.go lists.go json.go      results that are texts or LISTs, values as JSON
//	sort.go                       rows by comparison
//	extract.go extract_cast.go variant.go variant_group.go
//	                              VARIANTs: what a path leads to, its casts, groups of files
package kernel
