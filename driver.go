// Package parquetsql is a database/sql driver, named "parquet", that reads Parquet
// files as SQL tables. It is pure Go.
//
//	db, err := sql.Open("parquet", "/data/sales")
//	rows, err := db.Query("SELECT region, SUM(amount) FROM orders GROUP BY region")
//
// The data source name is a directory, a file or a glob, and options after
// "?"; Config lists them. In a directory each Parquet file is a table and each
// sub-directory of Parquet files is one table. docs/contract.md has the rules.
package parquetsql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"sync/atomic"

	"github.com/parquetsql/parquetsql/internal/idle"
	"github.com/parquetsql/parquetsql/planner"
	"github.com/parquetsql/parquetsql/scan"
	"github.com/parquetsql/parquetsql/scan/catalog"
	"github.com/parquetsql/parquetsql/scan/reader"
)

func init() { sql.Register("parquet", Driver{}) }

// Driver implements driver.Driver and driver.DriverContext.
type Driver struct{}

// Open opens one connection; database/sql itself calls OpenConnector.
func (d Driver) Open(dsn string) (driver.Conn, error) {
	c, err := d.OpenConnector(dsn)
	if err != nil {
		return nil, err
	}
	out, err := c.Connect(context.Background())
	if err != nil {
		return nil, err
	}
	out.(*conn).alone = true
	return out, nil
}

// OpenConnector parses the DSN. The error names the option that is wrong.
func (d Driver) OpenConnector(dsn string) (driver.Connector, error) {
	c, err := ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	return NewConnector(c)
}

// connector has what all connections share: the catalog with its cache of footers,
// and the settings of its queries.
type connector struct {
	catalog *catalog.Catalog
	limits  planner.Limits
	onQuery func(QueryStats) // nil: nobody asks

	distinctNames bool // see Config

	statements *statements

	open *atomic.Bool // it has connected and was not closed since
}

// NewConnector returns a connector for sql.OpenDB. It keeps a copy of the Config.
func NewConnector(c *Config) (out driver.Connector, err error) {
	defer prefix(&err)
	if c == nil {
		return nil, errors.New("the Config is nil: NewConfig and ParseDSN make one")
	}
	config, err := c.normalized()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(config.checkPath(), config.checkTempDir()); err != nil {
		return nil, err
	}
	reading := scan.Options{Pruning: scan.AllPruners, OnCorruptSkip: config.OnCorrupt == OnCorruptSkip, OnSkip: config.onSkip()}
	if config.Pruning == "off" {
		reading.Pruning = scan.NoPruners
	}
	remote, err := config.remote()
	if err != nil {
		return nil, err
	}
	limits := planner.Limits{Parallelism: config.Parallelism, MemoryLimit: max(config.MemoryLimit, 0), TempDir: config.TempDir}
	moved, err := locations(config.LocationMap)
	if err != nil {
		return nil, err
	}
	elsewhere, err := config.mapped(moved)
	if err != nil {
		return nil, err
	}
	tables, err := catalog.New(catalog.Config{
		LocationMap:      moved,
		Only:             config.Tables,
		Mapped:           elsewhere,
		Read:             reader.Source,
		FS:               config.FS,
		TempDir:          config.TempDir,
		Path:             config.Path,
		Remote:           remote,
		Scheme:           config.schemeNamed,
		Kept:             config.kept(),
		BinaryAsString:   config.BinaryAsString,
		VariantGroups:    config.VariantGroups,
		HivePartitioning: config.HivePartitioning,
		VerifyChecksums:  config.VerifyChecksums,
		AnyExtension:     config.Extensions == "any",
		FollowSymlinks:   config.FollowSymlinks,
		FooterCacheBytes: config.FooterCache,
		FooterMemory:     limits.Uncounted(),
		LogCacheBytes:    config.LogCache,
		Keys:             config.keys().For,
		KeysMayCome:      config.KeyRetriever != nil || config.KMS != nil,
		Scan:             reading,
	})
	if err != nil {
		return nil, err
	}
	return &connector{catalog: tables, limits: limits, onQuery: config.OnQuery, distinctNames: config.DistinctNames, statements: &statements{}, open: new(atomic.Bool)}, nil
}

// Connect opens a connection. A location that does not exist is an error here, but for a remote
// one, which the first query or Ping finds out about.
func (c *connector) Connect(ctx context.Context) (out driver.Conn, err error) {
	defer prefix(&err)
	if err := c.catalog.Connect(ctx); err != nil {
		return nil, err
	}
	if !c.open.Swap(true) {
		idle.Open()
	}
	return &conn{connector: c}, nil
}

// Close is called by DB.Close.
func (c *connector) Close() (err error) {
	defer prefix(&err)
	if c.open.Swap(false) {
		idle.Close()
	}
	return c.catalog.Close()
}

func (c *connector) Driver() driver.Driver { return Driver{} }

// WithPruners returns the same connector, cache included, whose queries use
// these pruners and no others. It is for the tests that compare pruners, which
// find it by a type assertion; the driver itself has the option pruning.
func (c *connector) WithPruners(p scan.Pruners) driver.Connector {
	out := *c
	out.catalog, out.open = c.catalog.WithPruners(p), new(atomic.Bool)
	return &out
}

var (
	_ driver.DriverContext = Driver{}
	_ driver.Connector     = (*connector)(nil)
	_ driver.Driver        = Driver{}
	_ io.Closer            = (*connector)(nil)
)
