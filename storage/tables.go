package storage

import (
	"context"
	"errors"
	"strings"
)

// Tables is a location that is a catalog: it knows Iceberg tables by their names. Their files may be
// in any store. Several goroutines may use it.
type Tables interface {
	// Load is the table of a name, as it is now. Of a table that is not there the error is an
	// ErrNoTable. known is the Tag of what the caller has of it, "" if it has nothing; most is how many
	// bytes its metadata may have.
	Load(ctx context.Context, t TableName, known string, most int64) (*Loaded, error)
	// Schemas are all schemas, those within others too.
	Schemas(ctx context.Context) ([][]string, error)
	// Names are the tables of a schema. Where it is not there, the error may be an ErrNoTable, and an
	// ErrForbidden where who asks may not see it.
	Names(ctx context.Context, schema []string) ([]string, error)
	// Ping finds out whether the catalog answers.
	Ping(ctx context.Context) error
}

// TableName is the name of a table of a catalog.
type TableName struct {
	Schema []string // "a", "b": the schema b within a
	Name   string
}

// ErrNoTable says that a catalog has no table of a name.
var ErrNoTable = errors.New("the catalog has no such table")

// ErrForbidden says that a catalog does not show who asks what is in a schema.
var ErrForbidden = errors.New("the catalog does not show it")

// Loaded is a table as a catalog has it at one moment.
type Loaded struct {
	File     string // the address of the metadata file; "": nobody knows it
	Metadata []byte // what the file has; nil: it is read
	Tag      string // what the catalog calls this version of the metadata; "": nothing
	Same     bool   // it is the version that the caller has, of which File and Metadata are not said again
	// Grant is for the files whose addresses begin with prefix. Of several it is the one with the
	// longest prefix that a file's address begins with. nil: the catalog says nothing of the file.
	Grant func(file string) (prefix string, g Grant)
}

// Grant is what a catalog says about reading some files of a table: properties by the names that
// Iceberg has for them, credentials among them. It lives as long as the catalog, whoever loads the
// table. Several goroutines may use it.
type Grant interface {
	// Settings are the properties as they were last. They take no request.
	Settings() map[string]string
	// Fresh are the properties that are good now: where they end soon, the catalog is asked anew.
	Fresh(ctx context.Context) (map[string]string, error)
	// Refused says that the service does not take credentials that Fresh had, or some of these
	// properties. Where there are others since, it says nothing of them.
	Refused(used map[string]string)
	// Own reports whether the user has said that a property has this value. Where the user's own
	// credentials are sent, no catalog says alone.
	Own(property, value string) bool
}

// NamesService reports whether a property of a Grant says which service has the files.
func NamesService(property string) bool {
	return strings.HasSuffix(property, "endpoint") || strings.HasSuffix(property, ".host") || strings.HasPrefix(property, "adls.connection-string.")
}
