package window

import (
	"context"
	"fmt"
	"strings"

	"github.com/parquetsql/parquetsql/internal/quota"
	"github.com/parquetsql/parquetsql/vector"
)

// joined is STRING_AGG over frames of consecutive rows: the values of all rows become one text, of which each result is a part.
type joined struct {
	input
	budget    *quota.Budget
	anew      *recomputed // in place of a text that is too long; nil: there is one
	separator string
	ends      []int // by row, and for the row after the last: how long the text is before it. A separator is before each value.
	text      string
}

const (
	// longSeparator is no part of the text: frames of few rows use few of them.
	longSeparator = 64
	// longText is longer than frames that repeat its parts are worth.
	longText = 1 << 30
)

// newJoined is nil for other aggregates and frames, and without a separator, as it tells a frame of empty texts from one of none.
func newJoined(in input, budget *quota.Budget) *joined {
	separator, ok := in.call.Separator()
	if !ok || separator == "" || len(separator) > longSeparator || in.call.Distinct() || in.call.Ordered() || in.framer.pieces != 1 {
		return nil
	}
	return &joined{input: in, budget: budget, separator: separator}
}

func (j *joined) bytes() int64 { return int64(cap(j.ends))*8 + int64(len(j.text)) }

func (j *joined) prepare(ctx context.Context, s *section) error {
	j.bind(s)
	j.text, j.anew = "", nil
	v := j.args[0]
	values := v.Str
	if v.Form == vector.Dictionary {
		values = v.Dict.Str
	}
	place := func(row int) int {
		switch v.Form {
		case vector.Dictionary:
			return int(v.Codes[row])
		case vector.Constant:
			return 0
		}
		return row
	}
	j.ends = vector.Resize(j.ends, s.n+1)
	end := int64(0)
	err := each(ctx, s.n, func(from, n int) error {
		for row := from; row < from+n; row++ {
			j.ends[row] = int(min(end, longText))
			if !v.IsNull(row) && j.pass(int32(row)) {
				end += int64(len(j.separator) + len(values[place(row)]))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if end > longText || j.budget.Reserve(end) != nil {
		j.anew = newRecomputed(j.input)
		return j.anew.prepare(ctx, s)
	}
	defer j.budget.Release(end) // from here on it is part of bytes
	j.ends[s.n] = int(end)
	var text strings.Builder
	text.Grow(int(end))
	err = each(ctx, s.n, func(from, n int) error {
		for row := from; row < from+n; row++ {
			if j.ends[row+1] > j.ends[row] {
				text.WriteString(j.separator)
				text.WriteString(values[place(row)])
			}
		}
		return nil
	})
	j.text = text.String()
	return err
}

func (j *joined) eval(ctx context.Context, s *section, from, n int, out *vector.Vector) error {
	if j.anew != nil {
		return j.anew.eval(ctx, s, from, n, out)
	}
	out.Reset(j.call.Type(), n)
	for i := range n {
		from, to := 0, 0
		if first, end := j.framer.from[0][i], j.framer.to[0][i]; first < end {
			from, to = j.ends[first], j.ends[end]
		}
		if from == to {
			out.Str[i] = ""
			out.SetNull(i)
			continue
		}
		if out.Str[i] = j.text[from+len(j.separator) : to]; len(out.Str[i]) > quota.MaxValueText {
			return fmt.Errorf("STRING_AGG: %w of %d bytes", quota.ErrTooLong, quota.MaxValueText)
		}
	}
	out.Raise(vector.Shared)
	return nil
}
