package slt

import (
	"database/sql"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// Driver is this project's driver as an engine, which has to keep its promises about types and
// errors besides.
func Driver(db *sql.DB) Engine {
	return Engine{Name: "parquetsql", DB: db, CheckValue: trueTypes, CheckError: Prefixed}
}

// trueTypes checks that ColumnTypes is right for a value.
func trueTypes(v any, c *sql.ColumnType) error {
	nullable, known := c.Nullable()
	if v == nil && (!nullable || !known) || v != nil && reflect.TypeOf(v) != c.ScanType() {
		return fmt.Errorf("column %s is %v, ScanType %v, nullable %v", c.Name(), v, c.ScanType(), nullable)
	}
	return nil
}

// ofArgument is what database/sql writes before the driver's error about an argument.
var ofArgument = regexp.MustCompile(`^sql: converting argument \S+ type: `)

// Prefixed checks that a message names the driver, first and once.
func Prefixed(err error) error {
	text := ofArgument.ReplaceAllString(err.Error(), "")
	if !strings.HasPrefix(text, "parquet: ") || strings.Contains(text, " parquet: ") { // a file's name may end with it
		return fmt.Errorf("the error does not name the driver first and once: %w", err)
	}
	return nil
}
