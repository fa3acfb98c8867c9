// Package located is what catalogs have in common that know where the metadata files of tables are,
// and no more.
package located

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/storage"
)

// groups are properties of Iceberg that a user gives for the files.
var groups = map[string]string{
	"s3.": "properties of Iceberg for the files, `s3.endpoint`, `s3.region`", "gcs.": "likewise for Google Cloud Storage", "adls.": "likewise for Azure", "client.": "likewise, `client.region`",
}

// Options are those of a catalog and those that all have.
func Options(own map[string]string) map[string]string {
	out := maps.Clone(groups)
	maps.Copy(out, own)
	return out
}

// Secrets are those among them that nobody may see.
func Secrets(own ...string) []string {
	return append(own, "s3.secret-access-key", "s3.session-token", "gcs.oauth2.", "adls.")
}

// Files is how the files of tables are read: with what the user has said.
type Files struct{ properties map[string]string }

// FilesOf takes the options of a location.
func FilesOf(options map[string]string) *Files {
	f := &Files{map[string]string{}}
	for name, value := range options {
		for group := range groups {
			if strings.HasPrefix(name, group) {
				f.properties[name] = value
			}
		}
	}
	return f
}

// Loaded is a table by where its metadata file is.
func (f *Files) Loaded(file string) *storage.Loaded {
	return &storage.Loaded{File: file, Grant: func(string) (string, storage.Grant) {
		if len(f.properties) == 0 {
			return "", nil
		}
		return "", f
	}}
}

// Settings implements storage.Grant.
func (f *Files) Settings() map[string]string { return maps.Clone(f.properties) }

// Fresh implements storage.Grant.
func (f *Files) Fresh(context.Context) (map[string]string, error) { return f.Settings(), nil }

// Refused implements storage.Grant. There are no others.
func (f *Files) Refused(map[string]string) {}

// Own implements storage.Grant. The user has said all of it.
func (f *Files) Own(_, _ string) bool { return true }

// Of is where the metadata file of a table is, by the parameters that Hive and Glue have of it.
func Of(parameters map[string]string, name string) (string, error) {
	switch kind := parameters["table_type"]; {
	case strings.EqualFold(kind, "ICEBERG-VIEW"), strings.EqualFold(kind, "ICEBERG_VIEW"):
		return "", fmt.Errorf("%s: views of Iceberg: %w", name, parquetsql.ErrUnsupported)
	case !strings.EqualFold(kind, "ICEBERG"):
		return "", fmt.Errorf("%s is no Iceberg table: %w: open its folder as a location", name, parquetsql.ErrUnsupported)
	}
	file := parameters["metadata_location"]
	if file == "" {
		return "", fmt.Errorf("%s: %w", name, errNoLocation)
	}
	return file, nil
}

var errNoLocation = errors.New("the catalog has no metadata_location of it")

// Single is the name of a schema that is within no other, and that of a table; false where the
// catalog has no such names.
func Single(t storage.TableName) (schema, table string, ok bool) {
	if len(t.Schema) != 1 || t.Name == "" {
		return "", "", false
	}
	return t.Schema[0], t.Name, true
}

// Schemas are schemas that are within no others.
func Schemas(names []string) [][]string {
	out := make([][]string, len(names))
	for i, n := range slices.Sorted(slices.Values(names)) {
		out[i] = []string{n}
	}
	return out
}
