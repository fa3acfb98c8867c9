//go:build checkviews

package viewcheck

import "testing"

// TestValues writes to a batch, and reads a batch that is no longer valid.
func TestValues(t *testing.T) {
	for _, write := range []bool{false, true} {
		var c Values[int64]
		out := c.Lend([]int64{1, 2, 3}, false)
		if write {
			out[1]++
		}
		caught := func() (p any) {
			defer func() { p = recover() }()
			c.End()
			return nil
		}()
		if write != (caught != nil) {
			t.Errorf("written to: %v, caught: %v", write, caught)
		}
		if !write && out[0] == 1 {
			t.Error("the batch's values are still there after its end")
		}
	}
}

// TestStrings: lent strings change at the end of their batch unless they are kept, others
// do not.
func TestStrings(t *testing.T) {
	for _, c := range []struct{ lent, kept, valid bool }{{false, false, true}, {true, false, false}, {true, true, true}} {
		var v Values[string]
		out := v.Lend([]string{"one", "", "three"}, c.lent)
		if out[0] != "one" || out[1] != "" || out[2] != "three" {
			t.Errorf("%+v: %q", c, out)
		}
		if c.kept {
			v.Keep()
		}
		if v.End(); (out[0] == "one") != c.valid {
			t.Errorf("%+v: %q after the end", c, out)
		}
	}
}
