// Package catalogs imports what reads catalogs of Iceberg tables that have no REST API: AWS Glue, the
// Hive Metastore and databases:
//
//	import _ "github.com/parquetsql/parquetsql/iceberg/catalogs"
//
// Who uses one kind imports its package alone, and has a smaller program. These catalogs know where
// the metadata file of a table is, and no more: the driver reads it, and files as it reads them
// without a catalog.
package catalogs

import (
	_ "github.com/parquetsql/parquetsql/iceberg/catalogs/glue"
	_ "github.com/parquetsql/parquetsql/iceberg/catalogs/hive"
	_ "github.com/parquetsql/parquetsql/iceberg/catalogs/sql"
)
