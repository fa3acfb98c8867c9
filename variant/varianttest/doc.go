// Package varianttest has the tests of package variant that need values of their own:
// random ones, shredded under random layouts, and the tables of the specification.
package varianttest
