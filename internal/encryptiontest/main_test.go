package encryptiontest

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/parquetsql/parquetsql"
)

const (
	javaFolder = "testdata/files/parquet-testing/data/"
	javaFile   = "external_key_material_java.parquet.encrypted"
	staff      = "examples/encrypted/data/staff.parquet"
)

// TestMain changes to the repository's root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// open opens a location, or files in memory if there are some.
func open(t testing.TB, path string, files fstest.MapFS, change func(*parquetsql.Config)) *sql.DB {
	t.Helper()
	c := parquetsql.NewConfig()
	c.Path = path
	if files != nil {
		c.FS = files
	}
	if change != nil {
		change(c)
	}
	connector, err := parquetsql.NewConnector(c)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	return db
}

// read is a file of the repository in memory.
func read(t testing.TB, name string) *fstest.MapFile {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return &fstest.MapFile{Data: data}
}

// rows are the rows of a query as text.
func rows(db *sql.DB, query string, args ...any) (out []string, err error) {
	return rowsContext(context.Background(), db, query, args...)
}

func rowsContext(ctx context.Context, db *sql.DB, query string, args ...any) (out []string, err error) {
	r, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	columns, err := r.Columns()
	if err != nil {
		return nil, err
	}
	values, targets := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for r.Next() {
		if err := r.Scan(targets...); err != nil {
			return nil, err
		}
		out = append(out, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	return out, r.Err()
}

// kms has master keys, and unwraps as the KMS of parquet-java's tests does: AES-GCM with
// the master key's ID as AAD.
type kms struct {
	masterKeys map[string][]byte
	mu         sync.Mutex
	asked      []string                                     // instance ID and URL, master key ID
	before     func(ctx context.Context, n int) (err error) // called before the n-th answer
}

var errRefused = errors.New("the KMS refused")

// javaKMS has the master keys of parquet-java's file, staffKMS those of staff.
func javaKMS() *kms {
	return &kms{masterKeys: map[string][]byte{"kf": []byte("0123456789012345"), "kc1": []byte("1234567890123450"), "kc2": []byte("1234567890123451")}}
}

func staffKMS(t testing.TB) *kms {
	t.Helper()
	out := &kms{}
	if err := json.Unmarshal(read(t, "examples/encrypted/masterkeys.json").Data, &out.masterKeys); err != nil {
		t.Fatal(err)
	}
	return out
}

// keys are for open.
func (k *kms) keys(c *parquetsql.Config) { c.KMS = k }

func (k *kms) UnwrapKey(ctx context.Context, instanceID, instanceURL, masterKeyID, wrappedKey string) ([]byte, error) {
	k.mu.Lock()
	k.asked = append(k.asked, fmt.Sprint(instanceID, " ", instanceURL, " ", masterKeyID))
	n := len(k.asked)
	k.mu.Unlock()
	if k.before != nil {
		if err := k.before(ctx, n); err != nil {
			return nil, err
		}
	}
	block, err := aes.NewCipher(k.masterKeys[masterKeyID])
	if err != nil {
		return nil, errRefused
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sealed, err := base64.StdEncoding.DecodeString(wrappedKey)
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, sealed[:gcm.NonceSize()], sealed[gcm.NonceSize():], []byte(masterKeyID))
}

// javaKeys are the data keys of parquet-java's file, as the answer of parquet-testing has
// them.
func javaKeys(t testing.TB) (footer []byte, columns map[string][]byte) {
	t.Helper()
	var answer struct {
		Config struct {
			FooterKey  []byte            `json:"footer_key"`
			ColumnKeys map[string][]byte `json:"column_keys"`
		}
	}
	if err := json.Unmarshal(read(t, "testdata/expected/files/parquet-testing/data/"+javaFile+".json").Data, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Config.FooterKey, answer.Config.ColumnKeys
}

// missing fails unless the error is ErrKeyMissing and names all of names.
func missing(t testing.TB, err error, names ...string) {
	t.Helper()
	if !errors.Is(err, parquetsql.ErrKeyMissing) {
		t.Errorf("not ErrKeyMissing: %v", err)
		return
	}
	for _, name := range names {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s: %v", name, err)
		}
	}
}
