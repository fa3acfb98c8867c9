package fragmentstest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/parquetsql/parquetsql/fragments"
)

// workerVariable has the options of a process that is a worker.
const workerVariable = "PARQUETSQL_FRAGMENT_WORKER"

// Main is called first in a program that has a Pool. In a process that is a worker it runs fragments, and does
// not return.
func Main(open func(store string) (fragments.Store, error)) {
	text := os.Getenv(workerVariable)
	if text == "" {
		return
	}
	if err := serve(text, open, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve reads a fragment a line, and answers with a line each.
func serve(text string, open func(string) (fragments.Store, error), in io.Reader, out io.Writer) error {
	var o Options
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	store, err := open(o.Store)
	if err != nil {
		return err
	}
	if o.Kill > 0 || o.Delay > 0 {
		store = &unreliable{Store: store, rng: rand.New(rand.NewPCG(o.Seed, 0)), kill: o.Kill, delay: o.Delay}
	}
	w := &fragments.Worker{Keep: 2}
	defer w.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		answer := "ok"
		f, err := fragments.Unmarshal(lines.Bytes())
		if err == nil {
			err = w.Run(context.Background(), f, store)
		}
		if err != nil {
			answer = strings.ReplaceAll(err.Error(), "\n", " ")
		}
		if _, err := fmt.Fprintln(out, answer); err != nil {
			return err
		}
	}
	return lines.Err()
}
