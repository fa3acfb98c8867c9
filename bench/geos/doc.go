// Package geos compares the functions over geometries with GEOS, the library of PostGIS and
// of DuckDB's spatial extension. Its test has the build tag geos, because it needs Debian's
// libgeos-dev:
//
//	go test -tags geos ./geos
package geos
