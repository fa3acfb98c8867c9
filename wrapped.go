package parquetsql

import (
	"database/sql/driver"
	"fmt"
)

// ownConn is the connection of this driver that database/sql has; nil if it has another one.
// Drivers that wrap others give theirs by a method Raw, as otelsql does.
func ownConn(raw any) *conn {
	for range 100 {
		switch c := raw.(type) {
		case *conn:
			return c
		case interface{ Raw() driver.Conn }:
			raw = c.Raw()
		default:
			return nil
		}
	}
	return nil // a wrapper that wraps itself
}

// foreign is the error of a function that is given a connection in which ownConn finds none.
func foreign(function string, raw any) error {
	return fmt.Errorf("%s needs a connection of this driver, not a %T; one that wraps it needs a method Raw() driver.Conn", function, raw)
}
