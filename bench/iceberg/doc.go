// Package iceberg compares what is planned and read of Iceberg tables with iceberg-go, which is no
// dependency of the driver: it weighs more than all of it. Everything here is tests.
package iceberg
