// Package encryptiontest tests encrypted files through database/sql: keys of all kinds,
// missing and wrong ones, the KMS, and what is put on disk. It has no other contents.
package encryptiontest
