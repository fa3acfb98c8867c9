package slt

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Update is the script's text with the answers of the engine in place of the
// expected ones. Records that are not for the engine, and those that succeed as
// they are, stay as they are. What it writes has to be checked by a second engine
// or by hand: it shows what the engine says, not what is right.
func (s *Script) Update(ctx context.Context, e Engine) (string, error) {
	lines := slices.Clone(s.lines)
	moved := 0
	for _, r := range s.records {
		if !r.isFor(e.Name) || r.kind == statementOK {
			continue
		}
		if r.kind == halt {
			break
		}
		if r.run(ctx, e, map[string][]string{}) == nil {
			continue
		}
		got, err := answerOf(ctx, e, &r)
		now := got.lines(&r)
		if (err != nil) != (r.kind == statementError) {
			return "", fmt.Errorf("%s:%d: %s\nthe record's kind is wrong: %w", s.Name, r.line, r.sql, err)
		}
		if err != nil {
			now = []string{strings.ReplaceAll(err.Error(), "\n", " ")}
		} else {
			directive := strings.Fields(lines[r.line-1+moved])
			directive[1] = string(got.letters)
			lines[r.line-1+moved] = strings.Join(directive, " ")
		}
		lines = slices.Replace(lines, r.from+moved, r.to+moved, now...)
		moved += len(now) - (r.to - r.from)
	}
	return strings.Join(lines, "\n"), nil
}
