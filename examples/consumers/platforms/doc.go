// Package platforms shows parquetsql below two platforms that take a database/sql driver:
// Grafana's plugin SDK and Apache Beam. Their libraries are large, so it is a module of its
// own below examples/consumers.
package platforms

import _ "github.com/parquetsql/parquetsql" // the driver

// location is the folder whose files are the tables.
const location = "../../../testdata"
