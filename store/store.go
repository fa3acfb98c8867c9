// Package store imports all modules of stores, so that a program reads every kind of location:
//
//	import _ "github.com/parquetsql/parquetsql/store"
//
// Who uses one kind imports its module alone, and has a smaller program.
package store

import (
	_ "github.com/parquetsql/parquetsql/store/azure"
	_ "github.com/parquetsql/parquetsql/store/gcs"
	_ "github.com/parquetsql/parquetsql/store/http"
	_ "github.com/parquetsql/parquetsql/store/s3"
)
