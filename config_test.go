package parquetsql_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/storage"
)

func TestParseDSN(t *testing.T) {
	key := []byte("0123456789abcde~")
	for _, c := range []struct {
		dsn  string
		want func(*parquetsql.Config)
	}{
		{"data", func(c *parquetsql.Config) { c.Path = "data" }},
		{"data/part-?.parquet", func(c *parquetsql.Config) { c.Path = "data/part-?.parquet" }},
		{"data/part-?.parquet?pruning=off", func(c *parquetsql.Config) { c.Path, c.Pruning = "data/part-?.parquet", "off" }},
		{"a%20b?temp_dir=/a%20b+c", func(c *parquetsql.Config) { c.Path, c.TempDir = "a%20b", "/a b+c" }},
		{"x?memory_limit=512MiB&parallelism=3", func(c *parquetsql.Config) { c.Path, c.MemoryLimit, c.Parallelism = "x", 512<<20, 3 }},
		{"x?extensions=any", func(c *parquetsql.Config) { c.Path, c.Extensions = "x", "any" }},
		{"x?follow_symlinks=true&footer_cache=1GiB", func(c *parquetsql.Config) { c.Path, c.FollowSymlinks, c.FooterCache = "x", true, 1<<30 }},
		{"x?memory_limit=0", func(c *parquetsql.Config) { c.Path, c.MemoryLimit = "x", parquetsql.NoMemoryLimit }},
		{"x?memory_limit=2GB", func(c *parquetsql.Config) { c.Path, c.MemoryLimit = "x", 2e9 }},
		{"x?verify_checksums=false&binary_as_string=true", func(c *parquetsql.Config) { c.Path, c.VerifyChecksums, c.BinaryAsString = "x", false, true }},
		{"x?footer_key=MDEyMzQ1Njc4OWFiY2Rlfg==", func(c *parquetsql.Config) { c.Path, c.FooterKey = "x", key }},
		{"x?footer_key=MDEyMzQ1Njc4OWFiY2Rlfg", func(c *parquetsql.Config) { c.Path, c.FooterKey = "x", key }},
		{"x?aad_prefix=-_-_&on_corrupt=skip", func(c *parquetsql.Config) { c.Path, c.AADPrefix, c.OnCorrupt = "x", []byte{0xfb, 0xff, 0xbf}, "skip" }},
		{"x?column_key.a.b=MDEyMzQ1Njc4OWFiY2Rlfg&hive_partitioning=on", func(c *parquetsql.Config) {
			c.Path, c.ColumnKeys, c.HivePartitioning = "x", map[string][]byte{"a.b": key}, "on"
		}},
	} {
		want := parquetsql.NewConfig()
		c.want(want)
		got, err := parquetsql.ParseDSN(c.dsn)
		if err != nil {
			t.Errorf("%s: %v", c.dsn, err)
			continue
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v", c.dsn, got)
		}
		again, err := parquetsql.ParseDSN(got.FormatDSN())
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("%s: formatted as %s, which reads back otherwise: %v", c.dsn, got.FormatDSN(), err)
		}
	}
}

func TestParseDSNErrors(t *testing.T) {
	for dsn, named := range map[string]string{
		"x?nonsense=1":                   "nonsense",
		"x?parallelism=many":             "parallelism",
		"x?parallelism=-1":               "parallelism",
		"x?memory_limit=12parsecs":       "memory_limit",
		"x?memory_limit=99999999999TiB":  "memory_limit",
		"x?footer_cache=-1":              "footer_cache",
		"x?follow_symlinks=perhaps":      "follow_symlinks",
		"x?extensions=some":              "extensions",
		"x?pruning=maybe":                "pruning",
		"x?pruning=on&pruning=off":       "pruning",
		"x?verify_checksums=2":           "verify_checksums",
		"x?temp_dir=%zz":                 "temp_dir",
		"x?column_key.=AAAA":             "column_key.",
		"x?footer_key=c2VjcmV0c2VjcmV0":  "footer_key",
		"x?footer_key=!secretsecret!":    "footer_key",
		"x?column_key.a=c2VjcmV0c2VjcmV": "column_key.a",

		"x?footer_key=c2VjcmV0MDEyMzQ1Njc4OQ?pruning=off": "footer_key",
		"x&footer_key=c2VjcmV0MDEyMzQ1Njc4OQ":             "footer_key",
		"x;column_key.a.b=c2VjcmV0MDEyMzQ1Njc4OQ":         "column_key.a.b",
		"x?footer_key:c2VjcmV0MDEyMzQ1Njc4OQ==":           "footer_key",
		"x?footer_keyc2VjcmV0MDEyMzQ1Njc4OQ==":            "footer_key",
		"x?pruning=on&Column_Key.a=c2VjcmV0MDEyMzQ1Njc4O": "Column_Key",
	} {
		_, err := parquetsql.ParseDSN(dsn)
		if err == nil || !strings.Contains(err.Error(), named) {
			t.Errorf("%s: error %v does not name %s", dsn, err, named)
			continue
		}
		if strings.Contains(err.Error(), "ecret") || strings.Contains(err.Error(), "c2Vj") {
			t.Errorf("%s: the error shows a key: %v", dsn, err)
		}
	}
}

// TestFormatDSN formats and parses again: with every option set to an unusual value,
// and with the empty fields of a literal.
func TestFormatDSN(t *testing.T) {
	for _, c := range []*parquetsql.Config{
		{Path: "a?b=c"},
		parquetsql.NewConfig(),
		{Path: "p&q=1?x", Parallelism: 2, MemoryLimit: 1 << 20, TempDir: "/tmp/ü?a=b&c%", OnCorrupt: "skip", HivePartitioning: "off",
			BinaryAsString: true, FollowSymlinks: true, Extensions: "any", DistinctNames: true, FooterCache: 12345, FooterKey: bytes.Repeat([]byte{0xff}, 32), AADPrefix: []byte("p"), Pruning: "off",
			ColumnKeys: map[string][]byte{"a=b&c?d.e": bytes.Repeat([]byte{1}, 16), "ü": bytes.Repeat([]byte{2}, 24)}},
	} {
		if c.Path == "" {
			c.Path = "what?pruning=x"
		}
		got, err := parquetsql.ParseDSN(c.FormatDSN())
		if err != nil || !reflect.DeepEqual(got, c) {
			t.Errorf("%s reads back as %s: %v", c.FormatDSN(), got.FormatDSN(), err)
		}
	}
}

// TestMemoryLimitOption: what is too little to work with is refused.
func TestMemoryLimitOption(t *testing.T) {
	for limit, ok := range map[int64]bool{1<<20 - 1: false, 1: false, -2: false, 1 << 20: true, 0: true, parquetsql.NoMemoryLimit: true} {
		_, err := parquetsql.NewConnector(&parquetsql.Config{Path: "testdata", MemoryLimit: limit})
		if ok != (err == nil) || !ok && !strings.Contains(err.Error(), "option memory_limit") {
			t.Errorf("%d: %v", limit, err)
		}
	}
}

// TestConfigKeys: the keys of a literal are checked as those of a DSN are.
func TestConfigKeys(t *testing.T) {
	secret := []byte("secret!")
	for _, c := range []struct {
		config parquetsql.Config
		named  string
	}{
		{parquetsql.Config{FooterKey: secret}, "footer_key"},
		{parquetsql.Config{ColumnKeys: map[string][]byte{"b": bytes.Repeat([]byte{1}, 32), "a.b": secret}}, "column_key.a.b"},
		{parquetsql.Config{ColumnKeys: map[string][]byte{"a": nil}}, "column_key.a"},
		{parquetsql.Config{ColumnKeys: map[string][]byte{"": bytes.Repeat([]byte{1}, 16)}}, "column_key."},
		{parquetsql.Config{FooterKey: []byte{}, ColumnKeys: map[string][]byte{"a": bytes.Repeat([]byte{1}, 24)}, AADPrefix: secret}, ""},
	} {
		c.config.Path = "testdata"
		_, err := parquetsql.NewConnector(&c.config)
		if c.named == "" && err != nil || c.named != "" && (err == nil || !strings.Contains(err.Error(), "option "+c.named+":")) {
			t.Errorf("%v: %v", c.config, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows a key: %v", err)
		}
	}
}

func TestConfigDefaults(t *testing.T) {
	c := parquetsql.NewConfig()
	if c.Parallelism != runtime.GOMAXPROCS(0) || c.TempDir != os.TempDir() || !c.VerifyChecksums || c.OnCorrupt != "fail" || c.HivePartitioning != "auto" || c.Extensions != "parquet" || c.Pruning != "on" || c.FollowSymlinks || c.FooterCache != 64<<20 || c.MemoryLimit < 1<<20 && c.MemoryLimit != parquetsql.NoMemoryLimit || c.BinaryAsString {
		t.Errorf("defaults: %v", c)
	}
}

// TestConfigHidesKeys prints a Config with each verb of fmt.
func TestConfigHidesKeys(t *testing.T) {
	c := &parquetsql.Config{Path: "x", FooterKey: []byte("0123456789secret"), ColumnKeys: map[string][]byte{"a": []byte("secret0123456789")}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, v := range []any{c, *c} {
			text := fmt.Sprintf(verb, v)
			if strings.Contains(text, "secret") || strings.Contains(text, "736563") || strings.Contains(text, "115 101") || !strings.Contains(text, "redacted") {
				t.Errorf("%s: %s", verb, text)
			}
		}
	}
}

// TestWithoutSecrets: what another process gets has no keys, and a Path with credentials is an error.
func TestWithoutSecrets(t *testing.T) {
	c, err := parquetsql.ParseDSN("x?footer_key=c2VjcmV0c2VjcmV0MTIzNA&column_key.a=c2VjcmV0c2VjcmV0MTIzNA&parallelism=3")
	if err != nil {
		t.Fatal(err)
	}
	public, err := c.WithoutSecrets()
	if err != nil || public.FormatDSN() != "x?parallelism=3" || len(c.FooterKey) == 0 {
		t.Errorf("%s, %v", public.FormatDSN(), err)
	}
	stores := map[string]storage.Scheme{"mem": {Options: map[string]string{"region": "", "password": ""}, Secrets: []string{"password"}}}
	c = &parquetsql.Config{Path: "mem://bucket", Stores: stores, StoreOptions: map[string]string{"region": "here", "password": "secret"}}
	if public, err = c.WithoutSecrets(); err != nil || len(public.StoreOptions) != 1 || public.StoreOptions["region"] != "here" || len(c.StoreOptions) != 2 {
		t.Errorf("%v, %v", public, err)
	}
	for _, path := range []string{"https://me:secret@host/a.parquet", "https://host/a.parquet?sig=secret"} {
		if _, err := (&parquetsql.Config{Path: path}).WithoutSecrets(); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
