//go:build checkviews

package column

import "testing"

// TestViewCheck writes to a batch, and reads a batch that is no longer valid.
func TestViewCheck(t *testing.T) {
	for _, write := range []bool{false, true} {
		v := &typedValues[int64]{slice: func(v *Values) *[]int64 { return &v.Int64 }}
		v.begin()
		copy(v.grow(3), []int64{1, 2, 3})
		var out Values
		v.publish(&out)
		if write {
			out.Int64[1]++
		}
		caught := func() (p any) {
			defer func() { p = recover() }()
			v.begin()
			return nil
		}()
		if write != (caught != nil) {
			t.Errorf("written to: %v, caught: %v", write, caught)
		}
		if !write && out.Int64[0] == 1 {
			t.Error("the batch's values are still there after its end")
		}
	}
}
