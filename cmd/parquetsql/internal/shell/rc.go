package shell

import (
	"os"
	"path/filepath"
	"runtime"
)

// rcFile is the file whose statements and commands the shell runs first; "" where there is none.
// PARQUETSQL_RC names another, or none.
func rcFile() string {
	name, ok := os.LookupEnv("PARQUETSQL_RC")
	if !ok {
		folder := userFolder("XDG_CONFIG_HOME", os.UserConfigDir, ".config")
		if folder == "" {
			return "" // and not ./rc
		}
		name = filepath.Join(folder, "rc")
	}
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// userFolder is the folder of this program below one of the XDG Base Directory Specification: what
// the variable says, or the default below the user's home. Windows has a folder of its own.
func userFolder(variable string, windows func() (string, error), below ...string) string {
	if folder := os.Getenv(variable); filepath.IsAbs(folder) {
		return filepath.Join(folder, "parquetsql")
	}
	if runtime.GOOS == "windows" {
		if folder, err := windows(); err == nil {
			return filepath.Join(folder, "parquetsql")
		}
		return ""
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(append(append([]string{home}, below...), "parquetsql")...)
}
