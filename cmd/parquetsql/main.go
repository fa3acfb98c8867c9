// Command parquetsql queries Parquet files with SQL, at the prompt and in scripts.
// README.md is its manual.
package main

import (
	"os"

	"github.com/parquetsql/parquetsql/cmd/parquetsql/internal/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
