package keys

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/internal/errs"
)

var footerDefault = instance{"DEFAULT", "DEFAULT"}

// TestJavaFile: the key material that parquet-java wrote gives the keys that open its
// file. The KMS is told the instance for column keys too.
func TestJavaFile(t *testing.T) {
	kms, want := &testKMS{}, javaKeys(t)
	f := javaBeside(Config{KMS: kms})
	for range 2 {
		for reference := range want {
			key, err := f.ColumnKey(context.Background(), []string{"a"}, external(t, reference))
			if err != nil || string(key) != want[reference] {
				t.Errorf("%s: another key, %v", reference, err)
			}
		}
		key, err := f.FooterKey(context.Background(), external(t, "footerKey"))
		if err != nil || string(key) != want["footerKey"] {
			t.Errorf("another footer key, %v", err)
		}
	}
	if len(kms.asked) != 3 {
		t.Errorf("the KMS was asked %d times for 3 keys", len(kms.asked))
	}
	for _, a := range kms.asked {
		if a.instance != footerDefault {
			t.Errorf("the KMS was asked as instance %+v", a.instance)
		}
	}
}

// TestInternalMaterial: material in the key metadata, with flags as parquet-java writes
// them now and as it did. A wrapped KEK as wrapped data key makes single wrapping.
func TestInternalMaterial(t *testing.T) {
	want := javaKeys(t)
	for _, asText := range []bool{false, true} {
		f := fileBeside(Config{KMS: &testKMS{}}, nil)
		for _, reference := range []string{"footerKey", "columnKey0", "columnKey1"} {
			m := javaMaterial(t)[reference]
			metadata := internal(t, m)
			if asText {
				metadata = bytes.ReplaceAll(metadata, []byte(":true"), []byte(`:"true"`))
			}
			key, err := f.ColumnKey(context.Background(), []string{"a"}, metadata)
			if err != nil || string(key) != want[reference] {
				t.Errorf("%s: another key, %v", reference, err)
			}
			m["doubleWrapping"], m["wrappedDEK"] = false, m["wrappedKEK"]
			delete(m, "wrappedKEK")
			if kek, err := f.ColumnKey(context.Background(), []string{"a"}, internal(t, m)); err != nil || len(kek) != 16 || string(kek) == want[reference] {
				t.Errorf("%s in single wrapping: %d bytes, %v", reference, len(kek), err)
			}
		}
	}
}

// TestInstance: only the footer key's material says which KMS has the column keys, even
// where the user knows the footer key or the KMS refuses it.
func TestInstance(t *testing.T) {
	for _, c := range []Config{
		{KMS: &testKMS{}},
		{KMS: &testKMS{deny: map[string]bool{"kf": true}}},
		{KMS: &testKMS{}, Footer: bytes.Repeat([]byte{1}, 16)},
	} {
		f, all := fileBeside(c, nil), javaMaterial(t)
		footer := all["footerKey"]
		footer["kmsInstanceID"], footer["kmsInstanceURL"] = "x1", "https://kms"
		_, err := f.FooterKey(context.Background(), internal(t, footer))
		if denied := c.KMS.(*testKMS).deny != nil; denied != errors.Is(err, errDenied) {
			t.Error(err)
		}
		column := all["columnKey0"]
		column["kmsInstanceID"] = "not for a column"
		if _, err := f.ColumnKey(context.Background(), []string{"a"}, internal(t, column)); err != nil {
			t.Error(err)
		}
		asked := c.KMS.(*testKMS).asked
		if last := asked[len(asked)-1]; last.instance != (instance{"x1", "https://kms"}) {
			t.Errorf("the KMS was asked as instance %+v", last.instance)
		}
	}
}

// TestChangedMasterKey: key material beside a file that was written anew, with another
// master key, is read after the KMS has refused the old one.
func TestChangedMasterKey(t *testing.T) {
	kms := &testKMS{deny: map[string]bool{"kc1": true}}
	all := javaMaterial(t)
	text := encoded(t, map[string]string{"x": string(encoded(t, all["columnKey0"]))})
	f := &file{ring: New(Config{KMS: kms}), name: "x", beside: func(context.Context, string, string, int) ([]byte, error) { return text, nil }}
	if _, err := f.ColumnKey(context.Background(), []string{"a"}, external(t, "x")); !errors.Is(err, errDenied) {
		t.Error(err)
	}
	text = encoded(t, map[string]string{"x": string(encoded(t, all["columnKey1"]))})
	if key, err := f.ColumnKey(context.Background(), []string{"a"}, external(t, "x")); err != nil || string(key) != javaKeys(t)["columnKey1"] {
		t.Errorf("another key, %v", err)
	}
}

// TestOrder: the user's own keys come first, then KeyRetriever, then the KMS.
func TestOrder(t *testing.T) {
	own, group, retrieved := bytes.Repeat([]byte{1}, 16), bytes.Repeat([]byte{2}, 24), bytes.Repeat([]byte{3}, 32)
	material := internal(t, javaMaterial(t)["columnKey0"])
	c := Config{
		Footer: own, Columns: map[string][]byte{"a.b": own, "a": group}, KMS: &testKMS{},
		Retriever: func(metadata []byte) ([]byte, error) {
			defer func() { metadata[0] = 'x' }() // it may do with it what it likes
			switch string(metadata) {
			case "known":
				return retrieved, nil
			case "none":
				return nil, nil
			}
			return nil, errDenied
		},
	}
	f := fileBeside(c, nil)
	for _, q := range []struct {
		path, metadata string
		want           string
	}{
		{"a.b", "known", string(own)},
		{"a.b", "", string(own)},
		{"a.b.c", "", string(own)},
		{"a.c", "known", string(group)},
		{"a", "", string(group)},
		{"ab", "known", string(retrieved)},
		{"ab", string(material), javaKeys(t)["columnKey0"]},
		{"ab", "none", ""},
		{"ab", "else", ""},
		{"ab", "", ""}, // the footer key is not tried
	} {
		key, err := f.ColumnKey(context.Background(), strings.Split(q.path, "."), []byte(q.metadata))
		if string(key) != q.want || (q.want == "") != errors.Is(err, errs.ErrKeyMissing) {
			t.Errorf("column %s, metadata %q: %d bytes, %v", q.path, q.metadata, len(key), err)
		}
	}
	if key, err := f.FooterKey(context.Background(), []byte("known")); !bytes.Equal(key, own) || err != nil {
		t.Errorf("footer: %d bytes, %v", len(key), err)
	}
	c.Footer = nil
	if key, err := fileBeside(c, nil).FooterKey(context.Background(), []byte("known")); !bytes.Equal(key, retrieved) || err != nil {
		t.Errorf("footer: %d bytes, %v", len(key), err)
	}
}

// TestMissing: each error is ErrKeyMissing, keeps its cause, says what would help and
// shows no key.
func TestMissing(t *testing.T) {
	secret := []byte("s3cret")
	java := javaMaterial(t)["columnKey0"]
	changed := func(field string, value any) []byte {
		m := javaMaterial(t)["columnKey0"]
		m[field] = value
		return internal(t, m)
	}
	denied := func([]byte) ([]byte, error) { return nil, errDenied }
	short := func([]byte) ([]byte, error) { return secret, nil }
	shortKEK := base64.StdEncoding.EncodeToString([]byte("s3cret"))
	for _, q := range []struct {
		config   Config
		metadata string
		beside   string
		cause    error
		says     string
	}{
		{Config{}, "", "", nil, "column_key.a.b"},
		{Config{Retriever: denied, KMS: &testKMS{}}, "", "", nil, "no key metadata"},
		{Config{}, "kc1", "", nil, "KeyRetriever"},
		{Config{Retriever: denied}, "kc1", "", errDenied, "KeyRetriever"},
		{Config{Retriever: short}, "kc1", "", nil, "6"},
		{Config{KMS: &testKMS{}}, "kc1", "", nil, "PKMT1"},
		{Config{KMS: &testKMS{}}, `{"keyMaterialType":"PKMT2","internalStorage":true}`, "", nil, "PKMT1"},
		{Config{Retriever: denied, KMS: &testKMS{}}, "kc1", "", errDenied, "PKMT1"},
		{Config{KMS: &testKMS{deny: map[string]bool{"kc1": true}}}, string(internal(t, java)), "", errDenied, `"kc1"`},
		{Config{KMS: &testKMS{}}, string(changed("wrappedDEK", shortKEK)), "", nil, "wrappedDEK"},
		{Config{KMS: &testKMS{}}, string(changed("wrappedDEK", java["wrappedKEK"])), "", nil, "wrappedDEK"},
		{Config{KMS: &testKMS{}}, string(changed("wrappedDEK", "?")), "", nil, "wrappedDEK"},
		{Config{KMS: &testKMS{}}, string(changed("keyEncryptionKeyID", "AAAA")), "", nil, "wrappedDEK"},
		{Config{KMS: &testKMS{}}, string(changed("keyEncryptionKeyID", "?")), "", nil, "keyEncryptionKeyID"},
		{Config{KMS: &testKMS{}}, string(external(t, "x")), "", fs.ErrNotExist, "beside"},
		{Config{KMS: &testKMS{}}, string(external(t, "x")), "{}", nil, "_KEY_MATERIAL_FOR_x.parquet.json"},
		{Config{KMS: &testKMS{}}, string(external(t, "x")), "null", nil, "_KEY_MATERIAL_FOR_x.parquet.json"},
		{Config{KMS: &testKMS{}}, string(external(t, "x")), `{"x":{}}`, nil, "_KEY_MATERIAL_FOR_x.parquet.json"},
		{Config{KMS: &testKMS{}}, string(external(t, "x")), `{"x":"s3cret"}`, nil, "_KEY_MATERIAL_FOR_x.parquet.json"},
	} {
		beside := []byte(q.beside)
		if q.beside == "" {
			beside = nil
		}
		key, err := fileBeside(q.config, beside).ColumnKey(context.Background(), []string{"a", "b"}, []byte(q.metadata))
		if key != nil || !errors.Is(err, errs.ErrKeyMissing) || q.cause != nil && !errors.Is(err, q.cause) || !strings.Contains(err.Error(), q.says) {
			t.Errorf("metadata %s: %d bytes, error %v does not say %s", q.metadata, len(key), err, q.says)
			continue
		}
		for _, hidden := range []string{"s3cret", java["wrappedDEK"].(string), java["wrappedKEK"].(string)} {
			if strings.Contains(err.Error(), hidden) {
				t.Errorf("metadata %s: the error shows key bytes: %v", q.metadata, err)
			}
		}
	}
}

// FuzzMetadata: key metadata and material of any bytes are no panic.
func FuzzMetadata(f *testing.F) {
	for reference, m := range javaMaterial(f) {
		f.Add(internal(f, m), []byte("{}"))
		f.Add(external(f, reference), encoded(f, map[string]string{reference: string(encoded(f, m))}))
	}
	f.Fuzz(func(t *testing.T, metadata, beside []byte) {
		file := fileBeside(Config{KMS: &testKMS{}}, beside)
		for _, ask := range []func() ([]byte, error){
			func() ([]byte, error) { return file.FooterKey(context.Background(), metadata) },
			func() ([]byte, error) { return file.ColumnKey(context.Background(), []string{"a"}, metadata) },
		} {
			if key, err := ask(); (err == nil) != (len(key) > 0) || err != nil && !errors.Is(err, errs.ErrKeyMissing) {
				t.Errorf("%d bytes, %v", len(key), err)
			}
		}
	})
}
