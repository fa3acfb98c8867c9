//go:build !unix

package storage

import "os"

// openFlags open a file to read it.
const openFlags = os.O_RDONLY
