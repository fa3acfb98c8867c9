// Package partition has the partition specs of Iceberg tables, and what a partition value says of
// the values that it was made of (format/spec.md of apache/iceberg, Partitioning, Appendix B).
package partition
