package column

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/fileformat/internal/chunktest"
	"github.com/parquetsql/parquetsql/internal/errs"
)

// TestWithoutAAD: DuckDB encrypts without AAD, so that parts of its files can be
// exchanged. No other writer's file is read in this way.
func TestWithoutAAD(t *testing.T) {
	const key = "0123456789012345"
	data, err := os.ReadFile("../../testdata/files/duckdb/encrypted_128_v1_snappy.parquet.encrypted")
	if err != nil {
		t.Fatal(err)
	}
	block, err := aes.NewCipher([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	end := len(data) - 8
	at := end - int(binary.LittleEndian.Uint32(data[end:]))
	for at < end && int(binary.LittleEndian.Uint32(data[at:])) != end-at-4 {
		at++
	}
	nonce := data[at+4 : at+16]
	footer, err := gcm.Open(nil, nonce, data[at+16:end], nil)
	if err != nil {
		t.Fatal(err)
	}
	for created, valid := range map[string]bool{"DuckDB version": true, "DackDB version": false, "arrow- version": false} {
		changed := bytes.Replace(footer, []byte("DuckDB version"), []byte(created), 1)
		file := append(append(bytes.Clone(data[:at+16]), gcm.Seal(nil, nonce, changed, nil)...), data[end:]...)
		_, err := fileformat.Open(bytes.NewReader(file), int64(len(file)), fileformat.Options{Keys: chunktest.Keys{Footer: key}})
		var corrupt *errs.CorruptError
		if valid && err != nil || !valid && !errors.As(err, &corrupt) {
			t.Errorf("created by %q: %v", created, err)
		}
	}
}
