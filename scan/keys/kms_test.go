package keys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// masterKeys are those of parquet-java's test TestPropertiesDrivenEncryption, which wrote
// the file external_key_material_java.parquet.encrypted.
var masterKeys = map[string]string{"kf": "0123456789012345", "kc1": "1234567890123450", "kc2": "1234567890123451"}

// testKMS does what org.apache.parquet.crypto.keytools.samples.InMemoryKMS does: AES-GCM
// under the master key, with the master key's ID as AAD.
type testKMS struct {
	mu    sync.Mutex
	asked []wrapped
	deny  map[string]bool // by master key
}

var errDenied = errors.New("access denied")

func (k *testKMS) UnwrapKey(_ context.Context, instanceID, instanceURL, masterKeyID, wrappedKey string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = append(k.asked, wrapped{instance{instanceID, instanceURL}, masterKeyID, wrappedKey})
	if masterKeys[masterKeyID] == "" || k.deny[masterKeyID] {
		return nil, errDenied
	}
	text, err := base64.StdEncoding.DecodeString(wrappedKey)
	if err != nil || len(text) < 12 {
		return nil, errors.New("not a wrapped key")
	}
	block, err := aes.NewCipher([]byte(masterKeys[masterKeyID]))
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, text[:12], text[12:], []byte(masterKeyID))
}

const (
	javaFolder = "../../testdata/files/parquet-testing/data"
	javaFile   = "external_key_material_java.parquet.encrypted"
)

// javaMaterial is the key material of the file, by reference.
func javaMaterial(t testing.TB) map[string]map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(javaFolder, "_KEY_MATERIAL_FOR_"+javaFile+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]any{}
	for reference, text := range all {
		var m map[string]any
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		out[reference] = m
	}
	return out
}

// javaKeys are the data keys of the file, by reference, as its expected answer has them.
func javaKeys(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/expected/files/parquet-testing/data/" + javaFile + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Config struct {
			FooterKey  []byte            `json:"footer_key"`
			ColumnKeys map[string][]byte `json:"column_keys"`
		}
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	columns := answer.Config.ColumnKeys
	return map[string]string{"footerKey": string(answer.Config.FooterKey), "columnKey0": string(columns["integers"]), "columnKey1": string(columns["strings"])}
}

// encoded is JSON.
func encoded(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// internal is the key metadata of material that is in the file.
func internal(t testing.TB, material map[string]any) []byte {
	material["internalStorage"] = true
	return encoded(t, material)
}

// external is key metadata that refers to material beside the file.
func external(t testing.TB, reference string) []byte {
	return encoded(t, map[string]any{"keyMaterialType": "PKMT1", "internalStorage": false, "keyReference": reference})
}

// fileBeside is the keys of a file beside which text is its key material; nil: no file.
func fileBeside(c Config, text []byte) *file {
	return &file{ring: New(c), name: "folder/x.parquet", beside: func(_ context.Context, prefix, suffix string, limit int) ([]byte, error) {
		if text == nil {
			return nil, fs.ErrNotExist
		}
		return text, nil
	}}
}

// javaBeside is the keys of parquet-java's file.
func javaBeside(c Config) *file {
	return &file{ring: New(c), name: javaFile, beside: func(_ context.Context, prefix, suffix string, limit int) ([]byte, error) {
		return os.ReadFile(filepath.Join(javaFolder, prefix+javaFile+suffix))
	}}
}
