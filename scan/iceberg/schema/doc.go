// Package schema has the types of Iceberg tables as those of SQL, their values as JSON and as
// bytes, the partition specs, and the names of fields in files without field ids. References are
// to the specification, github.com/apache/iceberg, format/spec.md.
package schema
