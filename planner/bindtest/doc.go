// Package bindtest tests binding from outside: SQL in, the plan or the error out. What
// concerns names and scopes alone is tested beside them.
package bindtest
