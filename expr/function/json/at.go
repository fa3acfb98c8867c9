package json

import (
	"strings"
	"unicode/utf8"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/jsontext"
	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// This file finds the value at the end of a path. Mostly it is a part of the text as it is written there;
// else a text of its own is made.

// pathKernel extracts a value from JSON text.
func pathKernel(steps vector.Path, asText bool) func() kernel.Func {
	return func() kernel.Func {
		made := &kernel.TextBuffer{}
		var rest []int32
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			in := kernel.OperandOf[string](args[0])
			rest = rest[:0]
			for _, i := range kernel.Listed(rows, n) {
				raw, found, err := findJSON(out.Meter, in.At(i), steps)
				if err != nil {
					return err
				}
				if !found || asText && raw == "null" {
					out.Null(int(i))
					continue
				}
				text, ok := plain(raw, asText)
				if out.Str[i] = text; !ok {
					rest = append(rest, i)
				}
			}
			if len(rest) == 0 {
				return nil
			}
			return made.Fill(rest, n, out, func(dst []byte, i int32) ([]byte, kernel.Outcome) {
				return appendFound(made, dst, out.Str[i], asText)
			})
		}
	}
}

// plain is what appendFound appends where that is a part of the text, else the text.
func plain(raw string, asText bool) (text string, ok bool) {
	switch {
	case raw[0] != '"':
		return raw, jsontext.IsCompact(raw)
	case !asText:
		return raw, strings.IndexByte(raw, '\\') < 0
	}
	if within := raw[1 : len(raw)-1]; jsontext.IsPlain(within) && utf8.ValidString(within) {
		return within, true
	}
	return raw, false
}

// partKernel runs a kernel over what a path leads to, as it is written in the text.
func partKernel(steps vector.Path, make func() kernel.Func) func() kernel.Func {
	find := kernel.TryWith1(func(m *quota.Meter, s string) (string, kernel.Outcome) {
		raw, found, err := findJSON(m, s, steps)
		return raw, kernel.Outcome{Err: err, Null: !found}
	})
	return func() kernel.Func {
		find, run := find(), make()
		var part kernel.Result
		var found []int32
		return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
			part.Meter = out.Meter
			part.Reset(args[0].Type, n)
			if err := find(args, rows, n, &part); err != nil {
				return err
			}
			if part.Valid == nil {
				return run([]*vector.Vector{&part.Vector}, rows, n, out)
			}
			found = found[:0]
			for _, i := range kernel.Listed(rows, n) {
				if part.IsNull(int(i)) {
					out.Null(int(i))
				} else {
					found = append(found, i)
				}
			}
			if len(found) == 0 {
				return nil
			}
			return run([]*vector.Vector{&part.Vector}, found, n, out)
		}
	}
}

// appendAt appends what a path leads to in JSON text.
func appendAt(t *kernel.TextBuffer, dst []byte, s string, steps vector.Path, asText bool) ([]byte, kernel.Outcome) {
	raw, found, err := findJSON(t.Meter(), s, steps)
	if err != nil || !found || asText && raw == "null" {
		return dst, kernel.Outcome{Err: err, Null: true}
	}
	return appendFound(t, dst, raw, asText)
}

// appendFound appends a value as text or as JSON.
func appendFound(t *kernel.TextBuffer, dst []byte, raw string, asText bool) ([]byte, kernel.Outcome) {
	if asText && raw[0] == '"' {
		value, ok := jsontext.Unquote(raw)
		if !ok {
			return dst, kernel.Outcome{Err: errJSON}
		}
		return append(dst, value...), kernel.Outcome{}
	}
	dst, err := appendCompact(t.Meter(), dst, raw)
	return dst, kernel.Outcome{Err: err}
}

// findJSON returns the text of the value at the end of a path.
func findJSON(m *quota.Meter, text string, path vector.Path) (raw string, found bool, err error) {
	p := jsontext.New(text, m.Teller())
	p.Next()
	for _, s := range path {
		if s.Kind == vector.PositionStep {
			found, err = p.Element(s.Position)
		} else {
			found, err = p.Member(s.Name)
		}
		if !found || err != nil {
			return "", false, err
		}
	}
	raw, err = p.Skip()
	return raw, err == nil, err
}

// appendCompact appends JSON text without the blanks between its tokens. Strings have
// escapes only where they need them.
func appendCompact(m *quota.Meter, dst []byte, text string) ([]byte, error) {
	p := jsontext.New(text, m.Teller())
	for p.More() {
		token := p.Token()
		if strings.Contains(token, `\`) {
			if decoded, ok := jsontext.Unquote(token); ok {
				dst = vector.AppendQuoted(dst, decoded)
				continue
			}
		}
		dst = append(dst, token...)
	}
	return dst, p.Err()
}
