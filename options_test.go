package parquetsql

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var updateReadme = flag.Bool("update-readme", false, "write the README's table of options")

// optionTable is the README's table of options.
func optionTable(keys bool) string {
	var b strings.Builder
	b.WriteString("| option | meaning | values | default |\n| --- | --- | --- | --- |\n")
	for _, o := range options {
		if (o.values == "base64") != keys {
			continue
		}
		name := o.name
		if name == columnKeyPrefix {
			name += "<path>"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, o.meaning, o.values, o.byDefault)
	}
	return b.String()
}

// TestReadmeOptions keeps the tables of options equal to the driver's: those of keys are in the page on encryption.
func TestReadmeOptions(t *testing.T) {
	for page, keys := range map[string]bool{"README.md": false, "docs/encryption.md": true} {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		start := strings.Index(text, "| option | meaning |")
		length := strings.Index(text[max(start, 0):], "\n\n") + 1
		if start < 0 || length <= 0 {
			t.Fatalf("%s has no table of options", page)
		}
		want := optionTable(keys)
		if text[start:start+length] == want {
			continue
		}
		if !*updateReadme {
			t.Fatalf("the table of options in %s is not this (go test -run ReadmeOptions . -update-readme):\n%s", page, want)
		}
		if err := os.WriteFile(page, []byte(text[:start]+want+text[start+length:]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestEveryFieldHasAnOption: a field of Config that a text can hold is set by
// exactly one option, and formatted by the same.
func TestEveryFieldHasAnOption(t *testing.T) {
	withoutOption := map[string]bool{"Tables": true, "StoreOptions": true, "Stores": true, "Path": true, "FS": true, "OnSkip": true, "OnQuery": true, "KeyRetriever": true, "KMS": true}
	unusual := map[string]string{
		"parallelism": "3", "memory_limit": "1MiB", "temp_dir": "/t", "verify_checksums": "false", "on_corrupt": "skip", "log_skipped": "off", "binary_as_string": "on", "variant_groups": "a.b,c",
		"hive_partitioning": "off", "pruning": "off", "distinct_names": "on", "extensions": "any", "location_map": "s3://b/t=u", "follow_symlinks": "1", "footer_cache": "2MB", "log_cache": "4MB", "cache_dir": "/c", "cache_size": "3MB",
		"footer_key": "MDEyMzQ1Njc4OWFiY2Rlfg", "column_key.a.b": "MDEyMzQ1Njc4OWFiY2Rlfg", "aad_prefix": "AAAA",
	}
	set := map[string]string{} // option by field
	for name, value := range unusual {
		o, ok := optionNamed(name)
		if !ok {
			t.Errorf("there is no option %s", name)
			continue
		}
		c := NewConfig()
		if err := o.parse(c, name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := o.format(c, shownKey); len(got) != 1 || got[0].name != name {
			t.Errorf("%s is formatted as %v", name, got)
		}
		before, after := reflect.ValueOf(*NewConfig()), reflect.ValueOf(*c)
		for i := range before.NumField() {
			if field := before.Type().Field(i).Name; !reflect.DeepEqual(before.Field(i).Interface(), after.Field(i).Interface()) && field != "FS" {
				if other, twice := set[field]; twice {
					t.Errorf("%s is set by %s and %s", field, other, name)
				}
				set[field] = name
			}
		}
	}
	if len(unusual) != len(options) {
		t.Errorf("%d options, %d in this test", len(options), len(unusual))
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if (set[field.Name] == "") != withoutOption[field.Name] {
			t.Errorf("field %s: option %q", field.Name, set[field.Name])
		}
	}
}
