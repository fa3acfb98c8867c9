package storage

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Scheme is what a module knows of the locations that begin with its name, as s3://.
type Scheme struct {
	// Options are those that a DSN may have for the store, by name, with what they mean.
	Options map[string]string
	// Secrets are the options that nobody may see.
	Secrets []string
	// Open makes no request. An option that is not set is not in options.
	Open func(a Address, options map[string]string) (Root, error)
	// Granted opens what a catalog says how to open; nil: files of catalogs are not read there.
	Granted func(a Address, g Grant) (Root, error)
}

// Root is an opened location. A store or catalog that is an io.Closer is closed with its connector.
type Root struct {
	Store Store
	// Tables is instead of Store where the location is a catalog.
	Tables Tables
	// Name is the location's own name in the store: a file, the beginning of names up to a
	// slash, or a glob. "" is the whole store.
	Name string
	// Literal says that Name is no glob, and that what follows a "?" in it is for the server
	// alone.
	Literal bool
}

// modules has the modules that register schemes.
var modules = map[string]string{
	"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "az": "azure", "abfs": "azure", "abfss": "azure", "http": "http", "https": "http", "hf": "http",
}

// catalogs has those of catalogs.
var catalogs = map[string]string{"iceberg": "iceberg", "iceberg+glue": "iceberg/catalogs/glue", "iceberg+hive": "iceberg/catalogs/hive", "iceberg+sql": "iceberg/catalogs/sql"}

const modulePath = "github.com/parquetsql/parquetsql"

var registry struct {
	sync.RWMutex
	schemes map[string]Scheme
}

// Register is called by the init functions of modules. Like that of database/sql it panics
// where a scheme is registered twice.
func Register(name string, s Scheme) {
	registry.Lock()
	defer registry.Unlock()
	if _, twice := registry.schemes[name]; twice {
		panic("storage: Register of " + name + " is called twice")
	}
	if registry.schemes == nil {
		registry.schemes = map[string]Scheme{}
	}
	registry.schemes[name] = s
}

// SchemeOf is a scheme that an imported module has registered, or an error that names the import.
func SchemeOf(name string) (Scheme, error) {
	registry.RLock()
	defer registry.RUnlock()
	if s, ok := registry.schemes[name]; ok {
		return s, nil
	}
	m := catalogs[name]
	if modules[name] != "" {
		m = "store/" + modules[name]
	}
	if m != "" {
		return Scheme{}, fmt.Errorf(`%s:// needs a module that is not imported: import _ "%s/%s"`, name, modulePath, m)
	}
	known := append(slices.Sorted(maps.Keys(modules)), slices.Sorted(maps.Keys(catalogs))...)
	return Scheme{}, fmt.Errorf("%s:// is no scheme that a module knows; these are: %s", name, strings.Join(known, ", "))
}

// Check fails if an option is none of the scheme.
func (s Scheme) Check(options map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !s.has(name) {
			return fmt.Errorf("option %s: the location has no such option; it has %s", name, strings.Join(slices.Sorted(maps.Keys(s.Options)), ", "))
		}
	}
	return nil
}

// has reports whether there is an option of that name. A name in Options that ends with a dot stands
// for all that begin so.
func (s Scheme) has(name string) bool {
	if _, ok := s.Options[name]; ok {
		return true
	}
	group, _, dotted := strings.Cut(name, ".")
	_, ok := s.Options[group+"."]
	return dotted && ok
}
