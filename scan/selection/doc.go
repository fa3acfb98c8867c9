// Package selection is which rows of a row group are read: ranges of rows, that pruning makes
// shorter, and rows that are deleted, that who made the table's list of files says.
package selection
