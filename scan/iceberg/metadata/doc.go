// Package metadata reads the metadata files of Iceberg tables: which snapshots, schemas, specs and
// references a table has (format/spec.md of apache/iceberg, Table Metadata).
package metadata
