package chart

import "math"

// even returns n points of the same distance from each other: the mean of the points that are
// next to each, and between points that are farther apart a straight line.
func (c *Chart) even(n int) (at []float64, series [][]float64) {
	first, last := c.At[0], c.At[len(c.At)-1]
	if last == first {
		n = 1
	}
	step := (last - first) / float64(max(n-1, 1))
	for i := range n {
		at = append(at, first+float64(i)*step)
	}
	for _, s := range c.Series {
		sums, counts := make([]float64, n), make([]float64, n)
		for i, v := range s.Values {
			if math.IsNaN(v) {
				continue
			}
			k := 0
			if step > 0 {
				k = min(max(int(math.Round((c.At[i]-first)/step)), 0), n-1)
			}
			sums[k], counts[k] = sums[k]+v, counts[k]+1
		}
		for k := range sums {
			sums[k] /= counts[k] // NaN of none
		}
		bridge(sums)
		series = append(series, sums)
	}
	return at, series
}

// bridge draws straight lines over what is NaN between two values.
func bridge(values []float64) {
	before := -1
	for i, v := range values {
		if math.IsNaN(v) {
			continue
		}
		for k := before + 1; before >= 0 && k < i; k++ {
			part := float64(k-before) / float64(i-before)
			values[k] = values[before] + part*(v-values[before])
		}
		before = i
	}
}
