package terminal

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Pager writes to a terminal what fits on its screen, and gives what is longer to the
// user's pager. What it holds back is less than a screen.
type Pager struct {
	out     *os.File
	command []string
	columns int
	lines   int // what is left of the screen

	held  []byte
	begun func() // before something shows on the screen; may be nil
	cmd   *exec.Cmd
	pipe  io.WriteCloser
}

// NewPager returns a Pager for a terminal. It calls begun once, before anything is on the
// screen.
func NewPager(out *os.File, begun func()) *Pager {
	columns, lines := Size(out)
	return &Pager{out: out, command: pagerCommand(), columns: columns, lines: lines - 1, begun: begun}
}

// pagerCommand returns the words of PARQUETSQL_PAGER or PAGER, or less where that is
// installed. A variable that is set and empty means no pager.
func pagerCommand() []string {
	for _, name := range []string{"PARQUETSQL_PAGER", "PAGER"} {
		if value, ok := os.LookupEnv(name); ok {
			return strings.Fields(value)
		}
	}
	if _, err := exec.LookPath("less"); err == nil {
		return []string{"less"}
	}
	return nil
}

// Write implements io.Writer.
func (p *Pager) Write(b []byte) (int, error) {
	if p.pipe != nil {
		return p.pipe.Write(b)
	}
	if len(p.command) == 0 {
		p.begin()
		return p.out.Write(b)
	}
	p.held = append(p.held, b...)
	for _, line := range strings.SplitAfter(string(b), "\n") {
		if strings.HasSuffix(line, "\n") {
			p.lines--
		}
		p.lines -= len(line) / (4 * p.columns) // of several bytes a character; less is asked rather too late
	}
	if p.lines > 0 {
		return len(b), nil
	}
	if err := p.start(); err != nil {
		return 0, err
	}
	return len(b), p.release(p.pipe)
}

// start runs the pager.
func (p *Pager) start() error {
	p.begin()
	p.cmd = exec.Command(p.command[0], p.command[1:]...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, os.Stderr
	p.cmd.Env = os.Environ()
	if os.Getenv("LESS") == "" {
		p.cmd.Env = append(p.cmd.Env, "LESS=FRSX") // colours, long lines uncut, no pager for a short text
	}
	pipe, err := p.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("the pager %s: %w", p.command[0], err)
	}
	p.pipe = pipe
	return nil
}

func (p *Pager) begin() {
	if p.begun != nil {
		p.begun()
		p.begun = nil
	}
}

func (p *Pager) release(w io.Writer) error {
	_, err := w.Write(p.held)
	p.held = nil
	return err
}

// Close writes what was held back, or waits until the user has left the pager.
func (p *Pager) Close() error {
	p.begin()
	if p.pipe == nil {
		return p.release(p.out)
	}
	p.pipe.Close()
	// A pager that the user leaves early ends as it likes.
	_ = p.cmd.Wait()
	return nil
}
