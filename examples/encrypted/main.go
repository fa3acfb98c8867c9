// Command encrypted reads a file in which two columns are encrypted. A KMS made of a
// file has the master key of one of them:
//
//	go run ./examples/encrypted
//
// The file has wrapped data keys in the form of parquet-java's key tools, which Spark and
// pyarrow use too. The driver finds them and asks the KMS to unwrap them. No key is in
// the DSN, and the KMS gives out no master key.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/parquetsql/parquetsql"
)

func main() {
	data := flag.String("data", "examples/encrypted/data", "the folder of Parquet files")
	keys := flag.String("keys", "examples/encrypted/masterkeys.json", "the file of the KMS: an object of master keys in base64, by ID")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *data, *keys); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, data, keys string) error {
	kms, err := newFileKMS(keys)
	if err != nil {
		return err
	}
	config := parquetsql.NewConfig()
	config.Path, config.KMS = data, kms
	connector, err := parquetsql.NewConnector(config)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if err := salaries(ctx, out, db); err != nil {
		return err
	}
	// The KMS does not have the master key of iban. That is no error of other columns.
	var iban string
	err = db.QueryRowContext(ctx, "SELECT iban FROM staff WHERE name = 'Ada'").Scan(&iban)
	if !errors.Is(err, parquetsql.ErrKeyMissing) {
		return fmt.Errorf("iban is %q, error %w", iban, err)
	}
	fmt.Fprintln(out, "iban: its key is missing")
	return nil
}

// salaries prints a mean of encrypted values for each department.
func salaries(ctx context.Context, out io.Writer, db *sql.DB) error {
	rows, err := db.QueryContext(ctx, "SELECT department, COUNT(*), AVG(salary) FROM staff GROUP BY department ORDER BY department")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var department string
		var people int
		var mean float64
		if err := rows.Scan(&department, &people, &mean); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d people, %.2f on average\n", department, people, mean)
	}
	return rows.Err()
}

// fileKMS is a KMS for examples and tests: master keys by ID. A real one sends the wrapped
// key to a service, which checks who asks.
type fileKMS map[string][]byte

func newFileKMS(name string) (fileKMS, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var kms fileKMS
	if err := json.Unmarshal(text, &kms); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return kms, nil
}

// UnwrapKey implements parquetsql.KMS. A wrapped key is AES-GCM in base64: a nonce of 12
// bytes, the ciphertext, a tag of 16. The ID of the master key is the AAD.
func (kms fileKMS) UnwrapKey(_ context.Context, _, _, masterKeyID, wrappedKey string) ([]byte, error) {
	masterKey := kms[masterKeyID]
	if masterKey == nil {
		return nil, errors.New("no such master key")
	}
	block, err := aes.NewCipher(masterKey)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	sealed, err := base64.StdEncoding.DecodeString(wrappedKey)
	if err != nil || len(sealed) < gcm.NonceSize() {
		return nil, errors.New("not a wrapped key")
	}
	return gcm.Open(nil, sealed[:gcm.NonceSize()], sealed[gcm.NonceSize():], []byte(masterKeyID))
}
