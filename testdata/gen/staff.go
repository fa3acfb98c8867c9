package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// staff writes the file of examples/encrypted and its master keys, with new keys. The
// footer is signed; salary and iban are encrypted. The key material has the form of
// parquet-java's key tools. The master key of iban is not written, so that nobody can
// read this column.
func staff(folder string) {
	footer, payroll, bank := newKey(), newKey(), newKey()
	footerKey, footerMaterial := wrapOnce("footer", footer)
	salaryKey, salaryMaterial := wrapTwice("payroll", payroll)
	ibanKey, ibanMaterial := wrapTwice("bank", bank)
	columns := parquet.ColumnPathToEncryptionPropsMap{
		"salary": parquet.NewColumnEncryptionProperties("salary", parquet.WithKey(string(salaryKey)), parquet.WithKeyMetadata(salaryMaterial)),
		"iban":   parquet.NewColumnEncryptionProperties("iban", parquet.WithKey(string(ibanKey)), parquet.WithKeyMetadata(ibanMaterial)),
	}
	encryption := parquet.NewFileEncryptionProperties(string(footerKey), parquet.WithFooterKeyMetadata(footerMaterial),
		parquet.WithPlaintextFooter(), parquet.WithEncryptedColumns(columns))
	must(os.MkdirAll(filepath.Join(folder, "data"), 0o755))
	must(os.WriteFile(filepath.Join(folder, "data", "staff.parquet"), staffFile(encryption), 0o644))
	keys := map[string][]byte{"footer": footer, "payroll": payroll}
	must(os.WriteFile(filepath.Join(folder, "masterkeys.json"), append(value(json.MarshalIndent(keys, "", "\t")), '\n'), 0o644))
}

func staffFile(encryption *parquet.FileEncryptionProperties) []byte {
	text := func(name string) schema.Node {
		return schema.Must(schema.NewPrimitiveNodeLogical(name, parquet.Repetitions.Required, schema.StringLogicalType{}, parquet.Types.ByteArray, 0, -1))
	}
	root := value(schema.NewGroupNode("staff", parquet.Repetitions.Required, schema.FieldList{
		text("name"), text("department"), schema.NewInt64Node("salary", parquet.Repetitions.Required, -1), text("iban"),
	}, -1))
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(
		parquet.WithEncryptionProperties(encryption), parquet.WithPageIndexEnabled(true), parquet.WithVersion(parquet.V2_LATEST))))
	var names, departments, ibans []parquet.ByteArray
	var salaries []int64
	for i, name := range []string{"Ada", "Barbara", "Charles", "Dennis", "Edsger", "Frances", "Grace", "Herman", "Ivan", "John", "Karen", "Linus"} {
		names = append(names, parquet.ByteArray(name))
		departments = append(departments, parquet.ByteArray([]string{"research", "sales", "support"}[i%3]))
		salaries = append(salaries, int64(3000+i*i*7%1100+i%3*250))
		ibans = append(ibans, parquet.ByteArray(fmt.Sprintf("XX%02d 0000 0000 %04d", 17+i, i*7919%10000)))
	}
	group := w.AppendRowGroup()
	for i := range 4 {
		c := value(group.NextColumn())
		switch c := c.(type) {
		case *file.ByteArrayColumnChunkWriter:
			value(c.WriteBatch([][]parquet.ByteArray{names, departments, nil, ibans}[i], nil, nil))
		case *file.Int64ColumnChunkWriter:
			value(c.WriteBatch(salaries, nil, nil))
		}
		must(c.Close())
	}
	must(group.Close())
	must(w.Close())
	return out.Bytes()
}

func newKey() []byte {
	key := make([]byte, 16)
	value(rand.Read(key))
	return key
}

// seal is AES-GCM in base64: nonce, ciphertext, tag.
func seal(key, plain, aad []byte) string {
	gcm := value(cipher.NewGCM(value(aes.NewCipher(key))))
	nonce := make([]byte, gcm.NonceSize())
	value(rand.Read(nonce))
	return base64.StdEncoding.EncodeToString(gcm.Seal(nonce, nonce, plain, aad))
}

// wrapOnce makes a data key and its key material in single wrapping, of a footer.
func wrapOnce(masterKeyID string, masterKey []byte) (key []byte, material string) {
	key = newKey()
	return key, materialText(map[string]any{
		"isFooterKey": true, "kmsInstanceID": "examples", "kmsInstanceURL": "file:masterkeys.json", "masterKeyID": masterKeyID,
		"doubleWrapping": false, "wrappedDEK": seal(masterKey, key, []byte(masterKeyID)),
	})
}

// wrapTwice makes a data key and its key material in double wrapping, of a column.
func wrapTwice(masterKeyID string, masterKey []byte) (key []byte, material string) {
	key, kek, id := newKey(), newKey(), newKey()
	return key, materialText(map[string]any{
		"isFooterKey": false, "masterKeyID": masterKeyID, "doubleWrapping": true, "wrappedDEK": seal(kek, key, id),
		"keyEncryptionKeyID": base64.StdEncoding.EncodeToString(id), "wrappedKEK": seal(masterKey, kek, []byte(masterKeyID)),
	})
}

func materialText(m map[string]any) string {
	m["keyMaterialType"], m["internalStorage"] = "PKMT1", true
	return string(value(json.Marshal(m)))
}
