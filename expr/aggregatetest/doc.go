// Package aggregatetest tests aggregate functions from outside: their results, and what their
// descriptors claim.
package aggregatetest
