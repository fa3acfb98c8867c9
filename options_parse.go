package parquetsql

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/parquetsql/parquetsql/internal/errs"
)

func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a whole number from 0", s)
	}
	return n, nil
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "1", "on":
		return true, nil
	case "false", "0", "off":
		return false, nil
	}
	return false, fmt.Errorf("%q is neither true nor false", s)
}

// sizeUnits are the suffixes of memory_limit: powers of 1024 with an i, of 1000 without.
var sizeUnits = map[string]uint64{
	"": 1, "b": 1,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
}

func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, ok := sizeUnits[strings.ToLower(strings.TrimSpace(s[len(digits):]))]
	n, err := strconv.ParseUint(digits, 10, 64)
	hi, size := bits.Mul64(n, unit)
	if err != nil || !ok || hi != 0 || size > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size such as 512MiB", s)
	}
	return int64(size), nil
}

// parseBase64 takes the standard and the URL alphabet, padded or not.
func parseBase64(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	b, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil {
		return nil, errors.New("the value is not base64") // the value may be a key: not shown
	}
	return b, nil
}

// checkKey fails if AES has no keys of that length.
func checkKey(key []byte) error {
	switch len(key) {
	case 16, 24, 32:
		return nil
	}
	return fmt.Errorf("an AES key has 16, 24 or 32 bytes, this one has %d", len(key))
}

// noOption is the error of an option that does not exist.
func noOption(name string) error {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	if near := errs.Nearest(name, names); len(near) > 0 {
		return fmt.Errorf("DSN option %s: no such option (there is %s)", name, strings.Join(near, ", "))
	}
	return fmt.Errorf("DSN option %s: no such option", name)
}
