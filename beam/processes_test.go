package parquetbeam_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	"github.com/parquetsql/parquetsql"
)

// unquoted is a program for Prism's PROCESS environment: the SDK's boot program behind the quotes that Prism
// of v2.77.0 puts around its identity.
const unquoted = `#!/bin/sh
id=${1#--id=\'}
shift
exec "$(dirname "$0")/boot" --id="${id%\'}" "$@"
`

// starter is the program that begins a worker's process.
func starter(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	build(t, filepath.Join(folder, "boot"), "github.com/apache/beam/sdks/v2/go/container")
	path := filepath.Join(folder, "worker")
	if err := os.WriteFile(path, []byte(unquoted), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func build(t *testing.T, to, of string) {
	t.Helper()
	if text, err := exec.Command("go", "build", "-o", to, of).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// recorded is a script that begins a program as a worker, and leaves its process's number beside it.
func recorded(folder, program string) (string, error) {
	path := filepath.Join(folder, "worker")
	return path, os.WriteFile(path, []byte("#!/bin/sh\n: > '"+path+"'.$$\nexec '"+program+"' \"$@\"\n"), 0o755)
}

// endRecorded ends the workers that a script has begun: Prism of v2.77.0 ends the program that has begun them,
// and they live on.
func endRecorded(script string) error {
	files, err := filepath.Glob(script + ".*")
	for _, file := range files {
		number, cause := strconv.Atoi(strings.TrimPrefix(file, script+"."))
		if cause == nil {
			var p *os.Process
			if p, cause = os.FindProcess(number); cause == nil {
				_ = p.Kill() // it may have ended
			}
		}
		err = errors.Join(err, cause, os.Remove(file))
	}
	return err
}

// inProcesses sets Beam's options so that the workers of onPrism are processes, until the test ends.
func inProcesses(t *testing.T) {
	t.Helper()
	kind, config := *jobopts.EnvironmentType, *jobopts.EnvironmentConfig
	*jobopts.EnvironmentType, *jobopts.EnvironmentConfig = "PROCESS", `{"command": "`+starter(t)+`"}`
	t.Cleanup(func() { *jobopts.EnvironmentType, *jobopts.EnvironmentConfig = kind, config })
}

// command is a runner: the command parquetbeam on Prism, with workers that are processes of their own.
type command struct{ program, worker, starter string }

func (c command) run(t *testing.T, location string, queries []string, o parquetsql.StageOptions, exchange, out string) error {
	for i, query := range queries {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		p := exec.CommandContext(ctx, c.program, "-runner", "prism", "-environment_type", "PROCESS", "-worker_binary", c.worker,
			"-environment_config", `{"command": "`+c.starter+`"}`, "-dsn", location, "-exchange", exchange, "-out", filepath.Join(out, strconv.Itoa(i)),
			"-split", strconv.FormatInt(o.SplitBytes, 10), "-partitions", strconv.Itoa(o.Partitions), "-allow-gather="+strconv.FormatBool(o.AllowGather), "-sql", query)
		var log bytes.Buffer
		p.Stdout, p.Stderr, p.WaitDelay = &log, &log, time.Second // workers may outlive it
		err := p.Run()
		if errors.Is(err, exec.ErrWaitDelay) {
			err = nil
		}
		if err = errors.Join(err, endRecorded(c.worker)); err != nil {
			return fmt.Errorf("%w\n%s", err, &log)
		}
	}
	return nil
}

// TestCommand runs queries with the command.
func TestCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs")
	}
	folder := t.TempDir()
	c := command{program: filepath.Join(folder, "parquetbeam"), starter: starter(t)}
	build(t, c.program, "./cmd/parquetbeam")
	var err error
	if c.worker, err = recorded(folder, c.program); err != nil {
		t.Fatal(err)
	}
	compare(t, location, []string{"SELECT species, MIN(island) FROM penguins GROUP BY species"}, options, c.run)
}

// TestProcesses runs queries in one pipeline whose worker is a process.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	inProcesses(t)
	compare(t, location, queries, options, onPrism)
}
