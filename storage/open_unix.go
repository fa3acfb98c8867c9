//go:build unix

package storage

import (
	"os"
	"syscall"
)

// openFlags open a file to read it. To open a named pipe would wait for its writer.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
