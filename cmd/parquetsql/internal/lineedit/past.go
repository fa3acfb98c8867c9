package lineedit

import "strings"

// past is the history. Up and Down go through the lines that begin as what was typed.
type past struct {
	lines []string
	at    int    // the line that is shown; len(lines) is the one that is typed
	typed string // before the first Up
}

func (p *past) add(line string) {
	if n := len(p.lines); n == 0 || p.lines[n-1] != line {
		p.lines = append(p.lines, line)
	}
}

// leave goes back behind the last line.
func (p *past) leave() { p.at, p.typed = len(p.lines), "" }

func (p *past) older(now string) (string, bool) {
	if p.at >= len(p.lines) || p.lines[p.at] != now { // changed since: another search
		p.at, p.typed = len(p.lines), now
	}
	for i := p.at - 1; i >= 0; i-- {
		if strings.HasPrefix(p.lines[i], p.typed) && p.lines[i] != now {
			p.at = i
			return p.lines[i], true
		}
	}
	return "", false
}

func (p *past) newer(now string) (string, bool) {
	if p.at >= len(p.lines) {
		return "", false
	}
	for i := p.at + 1; i < len(p.lines); i++ {
		if strings.HasPrefix(p.lines[i], p.typed) && p.lines[i] != now {
			p.at = i
			return p.lines[i], true
		}
	}
	p.at = len(p.lines)
	return p.typed, true
}

// find returns the next line that contains a text, without regard to case, from a line in
// the direction of step. -1 is none.
func (p *past) find(text string, from, step int) int {
	for i := from; i >= 0 && i < len(p.lines); i += step {
		if _, ok := indexFold(p.lines[i], text); ok {
			return i
		}
	}
	return -1
}

// indexFold is where a text has another one, without regard to case.
func indexFold(text, part string) (int, bool) {
	lower := strings.ToLower(text)
	i := strings.Index(lower, strings.ToLower(part))
	if i < 0 || len(lower) != len(text) { // letters whose other case is longer move the places behind them
		return 0, i >= 0
	}
	return i, true
}

// search finds lines of the history while their text is typed. It returns the key that ended
// it, which the line that was found is to have; Ctrl-G and Ctrl-C bring the line before back.
func (e *Editor) search(first key) (key, error) {
	before := e.buffer
	text, at, step := "", len(e.past.lines), -1
	look := func(from int) {
		if found := e.past.find(text, from, step); found >= 0 {
			at = found
			line := e.past.lines[at]
			place, _ := indexFold(line, text)
			e.buffer = buffer{line, place}
		} else if text != "" {
			e.screen.bell()
		}
	}
	if first == ctrlS {
		step = 1
	}
	for {
		e.drawAs("(search) `" + text + "': ")
		k, err := e.keys.read()
		switch {
		case err != nil:
			return none, err
		case k == ctrlR:
			step = -1
			look(at + step)
		case k == ctrlS:
			step = 1
			look(at + step)
		case k == ctrlH || k == backspace:
			text = withoutLast(text)
			look(min(at, len(e.past.lines)-1))
		case k == ctrlG || k == ctrlC:
			e.buffer = before
			return none, nil
		case isText(k):
			text += string(rune(k))
			look(min(at, len(e.past.lines)-1))
		default:
			e.past.at, e.past.typed = at, ""
			return k, nil
		}
	}
}

func withoutLast(text string) string {
	b := buffer{text, len(text)}
	if text == "" {
		return ""
	}
	b.cut(b.left(), b.at)
	return b.text
}
