// Package glue reads Iceberg tables of the AWS Glue Data Catalog. Its import registers the scheme
// iceberg+glue:
//
//	import _ "github.com/parquetsql/parquetsql/iceberg/catalogs/glue"
//
//	sql.Open("parquet", "iceberg+glue://eu-central-1")
//
// What follows the scheme is the region, and behind a slash the catalog's id, which is the number of
// the account by default. Databases are schemas. Credentials are those of the AWS SDK's usual chain.
package glue

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/glue"
	"github.com/aws/aws-sdk-go-v2/service/glue/types"

	"github.com/parquetsql/parquetsql/iceberg/catalogs/internal/located"
	"github.com/parquetsql/parquetsql/storage"
	"github.com/parquetsql/parquetsql/storage/remote"
)

func init() {
	storage.Register("iceberg+glue", storage.Scheme{
		Options: located.Options(map[string]string{
			"endpoint": "the address of another service with this API",
			"profile":  "the profile of the shared files of the AWS tools",
		}),
		Secrets: located.Secrets(), Open: open,
	})
}

// catalog is a storage.Tables of Glue.
type catalog struct {
	name   string
	id     *string // nil: that of the account
	client *glue.Client
	web    *http.Client
	files  *located.Files
}

var _ storage.Tables = (*catalog)(nil)

func open(a storage.Address, o map[string]string) (storage.Root, error) {
	built := awshttp.NewBuildableClient()
	with := []func(*config.LoadOptions) error{config.WithHTTPClient(built)}
	if a.Authority != "" {
		with = append(with, config.WithRegion(a.Authority))
	}
	if p := o["profile"]; p != "" {
		with = append(with, config.WithSharedConfigProfile(p))
	}
	found, err := config.LoadDefaultConfig(context.Background(), with...)
	if err != nil {
		return storage.Root{}, fmt.Errorf("the configuration of the AWS tools: %w", err)
	}
	if found.Region == "" {
		return storage.Root{}, errors.New("the address has no region, and the AWS tools have none: iceberg+glue://eu-central-1")
	}
	if b, ok := found.HTTPClient.(*awshttp.BuildableClient); ok {
		built = b
	}
	c := &catalog{name: a.String(), web: remote.ClientOver(built.GetTransport()), files: located.FilesOf(o)}
	found.HTTPClient = c.web
	if a.Path != "" {
		c.id = &a.Path
	}
	c.client = glue.NewFromConfig(found, func(g *glue.Options) {
		if e := o["endpoint"]; e != "" {
			g.BaseEndpoint = &e
		}
	})
	return storage.Root{Tables: c}, nil
}

// Close lets go of idle connections.
func (c *catalog) Close() error {
	c.web.CloseIdleConnections()
	return nil
}

// failed is an error of the service, which names what was asked for.
func (c *catalog) failed(what string, err error) error {
	var missing *types.EntityNotFoundException
	if errors.As(err, &missing) {
		return fmt.Errorf("%s: %s: %w", c.name, what, storage.ErrNoTable)
	}
	return fmt.Errorf("%s: %s: %w", c.name, what, err)
}

// Ping implements storage.Tables.
func (c *catalog) Ping(ctx context.Context) error {
	_, err := c.client.GetDatabases(ctx, &glue.GetDatabasesInput{CatalogId: c.id, MaxResults: aws.Int32(1)})
	if err != nil {
		return c.failed("its databases", err)
	}
	return nil
}

// Load implements storage.Tables (GetTable).
func (c *catalog) Load(ctx context.Context, t storage.TableName, _ string, _ int64) (*storage.Loaded, error) {
	name := "table " + strings.Join(append(t.Schema[:len(t.Schema):len(t.Schema)], t.Name), ".")
	schema, table, ok := located.Single(t)
	if !ok {
		return nil, fmt.Errorf("%s: %s: %w", c.name, name, storage.ErrNoTable)
	}
	out, err := c.client.GetTable(ctx, &glue.GetTableInput{CatalogId: c.id, DatabaseName: &schema, Name: &table})
	if err != nil {
		return nil, c.failed(name, err)
	}
	if out.Table == nil {
		return nil, fmt.Errorf("%s: %s: the service answers without a table", c.name, name)
	}
	file, err := located.Of(out.Table.Parameters, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	return c.files.Loaded(file), nil
}

// Schemas implements storage.Tables (GetDatabases).
func (c *catalog) Schemas(ctx context.Context) ([][]string, error) {
	var out []string
	for p := glue.NewGetDatabasesPaginator(c.client, &glue.GetDatabasesInput{CatalogId: c.id}); p.HasMorePages(); {
		page, err := p.NextPage(ctx)
		if err != nil {
			return nil, c.failed("its databases", err)
		}
		for _, d := range page.DatabaseList {
			out = append(out, aws.ToString(d.Name))
		}
	}
	return located.Schemas(out), nil
}

// Names implements storage.Tables (GetTables): those of Iceberg.
func (c *catalog) Names(ctx context.Context, schema []string) ([]string, error) {
	if len(schema) != 1 {
		return nil, fmt.Errorf("%s: schema %q: %w", c.name, schema, storage.ErrNoTable)
	}
	var out []string
	for p := glue.NewGetTablesPaginator(c.client, &glue.GetTablesInput{CatalogId: c.id, DatabaseName: &schema[0]}); p.HasMorePages(); {
		page, err := p.NextPage(ctx)
		if err != nil {
			return nil, c.failed("the tables of "+schema[0], err)
		}
		for _, t := range page.TableList {
			if _, err := located.Of(t.Parameters, ""); err == nil {
				out = append(out, aws.ToString(t.Name))
			}
		}
	}
	return out, nil
}
