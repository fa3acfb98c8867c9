package decode

import (
	"bytes"
	"context"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
)

// key is the only key of the benchmark's files.
const key = "0123456789abcdef"

// oneKey implements fileformat.Keys.
type oneKey struct{}

func (oneKey) FooterKey(context.Context, []byte) ([]byte, error) { return []byte(key), nil }

func (oneKey) ColumnKey(context.Context, []string, []byte) ([]byte, error) { return []byte(key), nil }

func (oneKey) AADPrefix() []byte { return nil }

// ciphers are how a file is encrypted, with 128 bits. The first one is not.
var ciphers = []struct {
	name       string
	encryption func() []parquet.WriterProperty
}{
	{"clear", func() []parquet.WriterProperty { return nil }},
	{"gcm", func() []parquet.WriterProperty { return encrypted(parquet.AesGcm) }},
	{"ctr", func() []parquet.WriterProperty { return encrypted(parquet.AesCtr) }},
}

func encrypted(algorithm parquet.Cipher) []parquet.WriterProperty {
	return []parquet.WriterProperty{parquet.WithEncryptionProperties(parquet.NewFileEncryptionProperties(key, parquet.WithAlg(algorithm)))}
}

// encryptedReaders are those of readers that decrypt both ciphers, but for parquet-go,
// which has no CTR.
var encryptedReaders = []struct {
	name string
	read func(data []byte) (n int, sum uint64, err error)
}{
	{"parquetsql", func(data []byte) (int, uint64, error) {
		return readOursWith(data, memory{bytes.NewReader(data), data}, oneKey{})
	}},
	{"arrow-go", func(data []byte) (int, uint64, error) {
		return readArrowWith(data, parquet.NewFileDecryptionProperties(parquet.WithFooterKey(key), parquet.WithPlaintextAllowed()))
	}},
}

func encryptedSpecs() []spec {
	e, c := parquet.Encodings, compress.Codecs
	return []spec{
		{parquet.Types.Int64, e.Plain, c.Uncompressed, false},
		{parquet.Types.Int64, e.RLEDict, c.Uncompressed, false},
		{parquet.Types.Int64, e.DeltaBinaryPacked, c.Uncompressed, false},
		{parquet.Types.Int64, e.Plain, c.Zstd, false},
		{parquet.Types.ByteArray, e.Plain, c.Uncompressed, false},
		{parquet.Types.ByteArray, e.Plain, c.Snappy, false},
	}
}

// BenchmarkEncrypted reads a column of a million values in the clear and encrypted: the
// difference is the price of decryption.
func BenchmarkEncrypted(b *testing.B) {
	for _, s := range encryptedSpecs() {
		for _, cipher := range ciphers {
			data, size := write(s, values, cipher.encryption()...)
			for _, reader := range encryptedReaders {
				b.Run(s.String()+"/"+cipher.name+"/"+reader.name, func(b *testing.B) {
					runtime.GC()
					b.SetBytes(size)
					for b.Loop() {
						if n, _, err := reader.read(data); err != nil || n != values {
							b.Fatalf("read %d values: %v", n, err)
						}
					}
					b.ReportMetric(float64(values)*float64(b.N)/b.Elapsed().Seconds(), "values/s")
				})
			}
		}
	}
}

// TestEncryptedReadersAgree: both readers read the values of the file in the clear.
func TestEncryptedReadersAgree(t *testing.T) {
	const count = 100_000
	for _, s := range encryptedSpecs() {
		for _, cipher := range ciphers {
			clear, _ := write(s, count)
			_, want, err := readArrow(clear)
			if err != nil || want == 0 {
				t.Fatal(want, err)
			}
			data, _ := write(s, count, cipher.encryption()...)
			for _, reader := range encryptedReaders {
				if n, sum, err := reader.read(data); n != count || sum != want || err != nil {
					t.Errorf("%s %s: %s reads %d values with the sum %d, want %d: %v", s, cipher.name, reader.name, n, sum, want, err)
				}
			}
		}
	}
}
