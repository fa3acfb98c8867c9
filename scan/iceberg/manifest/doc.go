// Package manifest reads manifest lists and manifests of Iceberg: which data files and delete files
// a snapshot has, and what is known of them (format/spec.md of apache/iceberg, Manifests).
package manifest
