// Package geotest has tests of geometries that need the whole driver.
package geotest
