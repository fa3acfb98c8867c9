package column

import "testing"

// FuzzEncrypted reads changed encrypted files with their keys: what is not authenticated
// (FileCryptoMetaData, the lengths of modules, pages in CTR mode) may have any content.
func FuzzEncrypted(f *testing.F) {
	names := []string{"gcm_sealed_128_none_uniform", "ctr_sealed_128_stored_columns", "ctr_plain_128_none_columns"}
	for _, name := range names {
		data, _ := matrixFile(f, name+".parquet.encrypted")
		f.Add(data)
	}
	_, keys := matrixFile(f, names[1]+".parquet.encrypted") // all have the same keys
	f.Fuzz(func(t *testing.T, data []byte) { readWithKeys(t, data, keys) })
}
