// Package fragmentstest runs fragments in processes of a program's own binary, for tests. The processes may be
// killed at random, tasks doubled and manifests seen late: what is shown to hold then holds on machines.
//
//	func TestMain(m *testing.M) {
//		fragmentstest.Main(func(store string) (fragments.Store, error) { return fragments.Dir(store), nil })
//		os.Exit(m.Run())
//	}
package fragmentstest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/parquetsql/parquetsql/fragments"
)

// Options say how fragments are run.
type Options struct {
	Workers int    // processes
	Store   string // what Main's function opens
	Seed    uint64
	// Kill is how likely a process dies in an operation of the store, and Delay how likely it does not see a
	// manifest that is there.
	Kill, Delay float64
	// Double runs a third of the fragments twice at the same time.
	Double bool
}

// Pool is processes that run fragments. Those that die are replaced.
type Pool struct {
	options Options
	free    chan *process // nil: none has begun
	mu      sync.Mutex
	rng     *rand.Rand
	died    int
	ran     int
}

// NewPool begins no process before one is needed.
func NewPool(o Options) *Pool {
	p := &Pool{options: o, free: make(chan *process, o.Workers), rng: rand.New(rand.NewPCG(o.Seed, 1))}
	for range o.Workers {
		p.free <- nil
	}
	return p
}

// Workers are the numbers of processes that PARQUETSQL_FRAGMENT_WORKERS has, divided by commas, or else the
// given ones.
func Workers(otherwise ...int) ([]int, error) {
	text := os.Getenv("PARQUETSQL_FRAGMENT_WORKERS")
	if text == "" {
		return otherwise, nil
	}
	var out []int
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("PARQUETSQL_FRAGMENT_WORKERS: %q is no number of processes", part)
		}
		out = append(out, n)
	}
	return out, nil
}

// Died is how many processes died, and Ran how many fragments ended without an error.
func (p *Pool) Died() int { return p.count(&p.died) }

// Ran is how many fragments ended without an error.
func (p *Pool) Ran() int { return p.count(&p.ran) }

func (p *Pool) count(n *int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return *n
}

func (p *Pool) add(n *int) {
	p.mu.Lock()
	*n++
	p.mu.Unlock()
}

func (p *Pool) random() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rng.Uint64()
}

// Run runs a fragment in one process or, at random, in two at the same time.
func (p *Pool) Run(ctx context.Context, f *fragments.Fragment) error {
	if !p.options.Double || cap(p.free) < 2 || p.random()%3 > 0 {
		return p.once(ctx, f)
	}
	var errs [2]error
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = p.once(ctx, f) })
	}
	wg.Wait()
	if errs[0] == nil || errs[1] == nil {
		return nil
	}
	return errors.Join(errs[:]...)
}

var errDied = errors.New("the worker died")

func (p *Pool) once(ctx context.Context, f *fragments.Fragment) (err error) {
	w := <-p.free
	defer func() { p.free <- w }()
	if err := ctx.Err(); err != nil {
		return err
	}
	if w == nil {
		if w, err = p.start(); err != nil {
			return err
		}
	}
	defer context.AfterFunc(ctx, w.kill)()
	answer, err := w.ask(f)
	if err != nil {
		w.end()
		w = nil
		if err := ctx.Err(); err != nil {
			return err
		}
		p.add(&p.died)
		return errDied
	}
	if answer != "ok" {
		return errors.New(answer)
	}
	p.add(&p.ran)
	return nil
}

// Close ends the processes.
func (p *Pool) Close() {
	for range cap(p.free) {
		if w := <-p.free; w != nil {
			w.end()
		}
		p.free <- nil
	}
}

// process is a worker's process.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (p *Pool) start() (*process, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	o := p.options
	o.Seed = p.random()
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	w := &process{cmd: exec.Command(own)}
	w.cmd.Env = append(os.Environ(), workerVariable+"="+string(text))
	w.cmd.Stderr = os.Stderr
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.out = bufio.NewReader(out)
	return w, w.cmd.Start()
}

// ask has the process run a fragment. An error says that it died.
func (w *process) ask(f *fragments.Fragment) (string, error) {
	data, err := f.Marshal()
	if err != nil {
		return err.Error(), nil
	}
	if _, err := w.in.Write(append(data, '\n')); err != nil {
		return "", err
	}
	answer, err := w.out.ReadString('\n')
	return strings.TrimSpace(answer), err
}

func (w *process) kill() { _ = w.cmd.Process.Kill() } // it may have ended

func (w *process) end() {
	_ = w.in.Close()
	_ = w.cmd.Wait() // it may have been killed
}
