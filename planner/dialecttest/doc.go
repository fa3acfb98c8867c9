// Package dialecttest tests the dialect from outside: text in, the tree or the error out.
package dialecttest
