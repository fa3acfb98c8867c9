package chart

import (
	"fmt"
	"math"
)

// binned is the chart of bars that a histogram is: how many values lie from one bound to the next.
// The number of bins follows Sturges (1926): 1 + log2(n), here at most 20, with round bounds.
func (c *Chart) binned() *Chart {
	out := &Chart{Kind: Bars, X: Axis{Name: c.X.Name}, Series: []Series{{Name: "rows"}}}
	low, high, ok := c.bounds()
	if !ok {
		return out
	}
	values := c.Series[0].Values
	step := roundUp((high - low) / math.Min(20, math.Ceil(1+math.Log2(float64(len(values))))))
	if step == 0 || math.IsInf(step, 0) {
		step = math.Max(1, math.Abs(high))
	}
	first := math.Floor(low / step)
	counts := make([]float64, int(math.Floor(high/step)-first)+1)
	missing := 0.0
	for _, v := range values {
		if math.IsNaN(v) {
			missing++
			continue
		}
		counts[min(max(int(math.Floor(v/step)-first), 0), len(counts)-1)]++
	}
	for i, n := range counts {
		from := (first + float64(i)) * step
		out.Labels = append(out.Labels, fmt.Sprintf("%s … %s", text(from), text(from+step)))
		out.Series[0].Values = append(out.Series[0].Values, n)
	}
	if missing > 0 {
		out.Labels = append(out.Labels, "NULL")
		out.Series[0].Values = append(out.Series[0].Values, missing)
	}
	return out
}

// roundUp returns the next of 1, 2, 5, 10, 20 …, also below 1.
func roundUp(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x)))
	for _, factor := range []float64{1, 2, 5} {
		if x <= factor*unit*(1+1e-9) {
			return factor * unit
		}
	}
	return 10 * unit
}
