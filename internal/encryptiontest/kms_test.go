package encryptiontest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/parquetsql/parquetsql"
	"github.com/parquetsql/parquetsql/internal/leaktest"
)

// TestKMS reads parquet-java's file with the key material beside it, by goroutines at
// the same time: each master key is asked for once, with the instance that only the
// footer key's material names.
func TestKMS(t *testing.T) {
	leaktest.Check(t)
	k := javaKMS()
	k.before = func(context.Context, int) error { time.Sleep(time.Millisecond); return nil } // so that others come meanwhile
	db := open(t, javaFolder+javaFile, nil, k.keys)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := rows(db, "SELECT COUNT(*), SUM(integers), MIN(strings), MAX(strings) FROM `external_key_material_java.parquet` WHERE integers >= 0")
			if want := []string{"100 4950 a0 j99"}; err != nil || !slices.Equal(got, want) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	wg.Wait()
	slices.Sort(k.asked)
	if want := []string{"DEFAULT DEFAULT kc1", "DEFAULT DEFAULT kc2", "DEFAULT DEFAULT kf"}; !slices.Equal(k.asked, want) {
		t.Errorf("the KMS was asked for %q", k.asked)
	}
}

// TestKeyMaterialInFS: the file beside the data file comes from the user's file system.
func TestKeyMaterialInFS(t *testing.T) {
	material := "_KEY_MATERIAL_FOR_" + javaFile + ".json"
	files := fstest.MapFS{"a/" + javaFile: read(t, javaFolder+javaFile), "a/" + material: read(t, javaFolder+material)}
	query := "SELECT COUNT(DISTINCT strings) FROM `a/" + javaFile + "`"
	if got, err := rows(open(t, ".", files, javaKMS().keys), query); err != nil || !slices.Equal(got, []string{"100"}) {
		t.Errorf("%q, %v", got, err)
	}
	delete(files, "a/"+material)
	_, err := rows(open(t, ".", files, javaKMS().keys), query)
	missing(t, err, javaFile)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the error does not have its cause: %v", err)
	}
}

// TestKMSFails: a refusal is an error of the queries that need the key. It is not kept:
// the next query asks again.
func TestKMSFails(t *testing.T) {
	k := staffKMS(t)
	refuse := true
	k.before = func(context.Context, int) error {
		if refuse {
			return errRefused
		}
		return nil
	}
	db := open(t, staff, nil, k.keys)
	if got, err := rows(db, "SELECT COUNT(*), MIN(name) FROM staff"); err != nil || !slices.Equal(got, []string{"12 Ada"}) {
		t.Errorf("%q, %v", got, err)
	}
	_, err := rows(db, "SELECT SUM(salary) FROM staff")
	missing(t, err, "salary", "staff.parquet", "payroll")
	if !errors.Is(err, errRefused) {
		t.Errorf("the error does not have its cause: %v", err)
	}
	refuse = false
	if got, err := rows(db, "SELECT SUM(salary) FROM staff"); err != nil || !slices.Equal(got, []string{"42542"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFooterKeyLater: after the KMS has failed, the footer key of a plaintext footer is
// asked for again, until it is found: else the signature would stay unchecked.
func TestFooterKeyLater(t *testing.T) {
	fails, asked := true, map[string]int{} // by metadata
	db := open(t, javaFolder+"encrypt_columns_plaintext_footer.parquet.encrypted", nil, func(c *parquetsql.Config) {
		c.Parallelism = 1
		c.KeyRetriever = func(metadata []byte) ([]byte, error) {
			if asked[string(metadata)]++; fails {
				return nil, errRefused
			}
			return []byte("0123456789012345"), nil
		}
	})
	read := func() {
		t.Helper()
		query := "SELECT COUNT(*), COUNT(int32_field), MAX(boolean_field) FROM `encrypt_columns_plaintext_footer.parquet`"
		if got, err := rows(db, query); err != nil || !slices.Equal(got, []string{"50 50 true"}) {
			t.Errorf("%q, %v", got, err)
		}
	}
	read()
	_, err := rows(db, "SELECT double_field FROM `encrypt_columns_plaintext_footer.parquet`")
	missing(t, err, "double_field")
	fails = false
	before := asked["kf"]
	for range 3 {
		read()
	}
	if before == 0 || asked["kf"] != before+1 {
		t.Errorf("asked for %v, %d times for the footer key while the KMS failed", asked, before)
	}
}

// TestKMSCancelled: a query that waits for the KMS ends with its context. Another one,
// which waits for the same key, has its rows.
func TestKMSCancelled(t *testing.T) {
	leaktest.Check(t)
	k := staffKMS(t)
	waiting := make(chan struct{})
	k.before = func(ctx context.Context, n int) error {
		if n > 1 {
			return nil
		}
		close(waiting)
		<-ctx.Done()
		return ctx.Err()
	}
	db := open(t, staff, nil, k.keys)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		_, err := rowsContext(ctx, db, "SELECT SUM(salary) FROM staff")
		ended <- err
	}()
	<-waiting
	other := make(chan error)
	go func() {
		got, err := rows(db, "SELECT SUM(salary) FROM staff")
		if err == nil && !slices.Equal(got, []string{"42542"}) {
			err = fmt.Errorf("%q", got)
		}
		other <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) || errors.Is(err, parquetsql.ErrKeyMissing) {
		t.Errorf("the cancelled query: %v", err)
	}
	if err := <-other; err != nil {
		t.Errorf("the other query: %v", err)
	}
}

// TestKeyRetriever: keys by what the file says of them.
func TestKeyRetriever(t *testing.T) {
	footer, columns := javaKeys(t)
	byReference := map[string][]byte{`"footerKey"`: footer, `"columnKey0"`: columns["integers"]}
	var mu sync.Mutex
	asked := map[string]int{}
	retrieve := func(metadata []byte) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		asked[string(metadata)]++
		for reference, key := range byReference {
			if strings.Contains(string(metadata), reference) {
				return key, nil
			}
		}
		return nil, errRefused
	}
	db := open(t, javaFolder+javaFile, nil, func(c *parquetsql.Config) { c.KeyRetriever = retrieve })
	for range 3 {
		if got, err := rows(db, "SELECT SUM(integers) FROM `external_key_material_java.parquet`"); err != nil || !slices.Equal(got, []string{"4950"}) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if len(asked) != 2 {
		t.Errorf("the metadata asked for is %v", asked)
	}
	for metadata, n := range asked {
		if n != 1 {
			t.Errorf("%s was asked for %d times", metadata, n)
		}
	}
	_, err := rows(db, "SELECT * FROM `external_key_material_java.parquet`")
	missing(t, err, "strings", javaFile)
	if !errors.Is(err, errRefused) {
		t.Errorf("the error does not have its cause: %v", err)
	}
	byReference[`"columnKey1"`] = columns["strings"]
	if got, err := rows(db, "SELECT strings FROM `external_key_material_java.parquet` WHERE integers = 42"); err != nil || !slices.Equal(got, []string{"c42"}) {
		t.Errorf("%q, %v", got, err)
	}
}
