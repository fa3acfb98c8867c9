// Package hive reads Iceberg tables of a Hive Metastore. Its import registers the scheme iceberg+hive:
//
//	import _ "github.com/parquetsql/parquetsql/iceberg/catalogs/hive"
//
//	sql.Open("parquet", "iceberg+hive://metastore:9083")
//
// Databases are schemas. The metastore is asked over Thrift without authentication or encryption.
package hive

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/apache/thrift/lib/go/thrift"
	"github.com/beltran/gohive/hive_metastore"

	"github.com/parquetsql/parquetsql/iceberg/catalogs/internal/located"
	"github.com/parquetsql/parquetsql/storage"
)

func init() {
	storage.Register("iceberg+hive", storage.Scheme{Options: located.Options(nil), Secrets: located.Secrets(), Open: open})
}

const defaultPort = "9083"

// catalog is a storage.Tables of a metastore.
type catalog struct {
	name    string
	address string // host and port
	files   *located.Files
}

var _ storage.Tables = (*catalog)(nil)

func open(a storage.Address, o map[string]string) (storage.Root, error) {
	if a.Authority == "" || strings.Contains(a.Authority, "@") || strings.Trim(a.Path, "/") != "" {
		return storage.Root{}, errors.New("an address is iceberg+hive://host:9083")
	}
	c := &catalog{name: a.String(), address: a.Authority, files: located.FilesOf(o)}
	if _, _, err := net.SplitHostPort(a.Authority); err != nil {
		c.address = net.JoinHostPort(strings.Trim(a.Authority, "[]"), defaultPort)
	}
	return storage.Root{Tables: c}, nil
}

// How long it may take to connect, and to answer.
const (
	connecting = 10 * time.Second
	answering  = time.Minute
)

// mostMessage bounds a message of the metastore.
const mostMessage = 64 << 20

// ask connects and asks. A table is loaded by one question: a connection that waits would save little,
// and could be broken. Where the context ends, so does the connection.
func ask[T any](ctx context.Context, c *catalog, what string, question func(*hive_metastore.ThriftHiveMetastoreClient) (T, error)) (out T, err error) {
	set := &thrift.TConfiguration{ConnectTimeout: connecting, SocketTimeout: answering, MaxMessageSize: mostMessage, MaxFrameSize: mostMessage}
	fail := func(err error) (T, error) {
		if cause := ctx.Err(); cause != nil {
			return out, cause
		}
		return out, fmt.Errorf("%s: %s: %w", c.name, what, err)
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	conn, err := (&net.Dialer{Timeout: connecting}).DialContext(ctx, "tcp", c.address)
	if err != nil {
		return fail(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // its reads end
	socket := thrift.NewTSocketFromConnConf(conn, set)
	protocol := thrift.NewTBinaryProtocolConf(thrift.NewTBufferedTransport(socket, 64<<10), set)
	if out, err = question(hive_metastore.NewThriftHiveMetastoreClient(thrift.NewTStandardClient(protocol, protocol))); err != nil {
		var missing *hive_metastore.NoSuchObjectException
		var unknown *hive_metastore.UnknownDBException
		if errors.As(err, &missing) || errors.As(err, &unknown) {
			err = storage.ErrNoTable
		}
		return fail(err)
	}
	return out, nil
}

// Ping implements storage.Tables.
func (c *catalog) Ping(ctx context.Context) error {
	_, err := ask(ctx, c, "its databases", func(m *hive_metastore.ThriftHiveMetastoreClient) ([]string, error) { return m.GetAllDatabases(ctx) })
	return err
}

// Load implements storage.Tables (get_table).
func (c *catalog) Load(ctx context.Context, t storage.TableName, _ string, _ int64) (*storage.Loaded, error) {
	name := "table " + strings.Join(append(t.Schema[:len(t.Schema):len(t.Schema)], t.Name), ".")
	schema, table, ok := located.Single(t)
	if !ok {
		return nil, fmt.Errorf("%s: %s: %w", c.name, name, storage.ErrNoTable)
	}
	found, err := ask(ctx, c, name, func(m *hive_metastore.ThriftHiveMetastoreClient) (*hive_metastore.Table, error) {
		return m.GetTable(ctx, schema, table)
	})
	if err != nil {
		return nil, err
	}
	file, err := located.Of(found.GetParameters(), name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return c.files.Loaded(file), nil
}

// Schemas implements storage.Tables (get_all_databases).
func (c *catalog) Schemas(ctx context.Context) ([][]string, error) {
	found, err := ask(ctx, c, "its databases", func(m *hive_metastore.ThriftHiveMetastoreClient) ([]string, error) { return m.GetAllDatabases(ctx) })
	return located.Schemas(found), err
}

// atOnce is how many tables are described at once.
const atOnce = 100

// Names implements storage.Tables (get_all_tables, get_table_objects_by_name): those of Iceberg.
func (c *catalog) Names(ctx context.Context, schema []string) ([]string, error) {
	if len(schema) != 1 {
		return nil, fmt.Errorf("%s: schema %q: %w", c.name, schema, storage.ErrNoTable)
	}
	return ask(ctx, c, "the tables of "+schema[0], func(m *hive_metastore.ThriftHiveMetastoreClient) (out []string, err error) {
		names, err := m.GetAllTables(ctx, schema[0])
		for len(names) > 0 && err == nil {
			n := min(atOnce, len(names))
			var tables []*hive_metastore.Table
			tables, err = m.GetTableObjectsByName(ctx, schema[0], names[:n])
			for _, t := range tables {
				if _, err := located.Of(t.GetParameters(), ""); err == nil {
					out = append(out, t.GetTableName())
				}
			}
			names = names[n:]
		}
		return out, err
	})
}
