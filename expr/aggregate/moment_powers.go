package aggregate

import "math"

// powers are a count and the sums of the first four powers.
type powers struct {
	N    int64
	Sums [4]float64
}

// Add adds a value.
func (p *powers) Add(v float64) {
	p.N++
	for i, power := 0, v; i < len(p.Sums); i, power = i+1, power*v {
		p.Sums[i] += power
	}
}

// Merge adds the values of o.
func (p *powers) Merge(o powers) {
	p.N += o.N
	for i, v := range o.Sums {
		p.Sums[i] += v
	}
}

// cubedDeviation is the cube of the deviation of a population.
func (p *powers) cubedDeviation() float64 {
	n, sum, squares := float64(p.N), p.Sums[0], p.Sums[1]
	return math.Sqrt(max(math.Pow((squares-sum*sum*(1/n))*(1/n), 3), 0))
}

// skewness is the third moment of a sample, with the correction for its size.
func skewness(p *powers) (float64, bool) {
	n, sum, squares, cubes := float64(p.N), p.Sums[0], p.Sums[1], p.Sums[2]
	if p.N <= 2 {
		return 0, false
	}
	spread := p.cubedDeviation()
	if spread == 0 {
		return math.NaN(), true
	}
	third := (cubes - 3*squares*sum*(1/n) + 2*math.Pow(sum, 3)*(1/n)*(1/n)) * (1 / n)
	return math.Sqrt(n*(n-1)) / (n - 2) * third / spread, true
}

// kurtosis is the excess of the fourth moment over that of the normal distribution. Equal
// values have none.
func kurtosis(p *powers) (float64, bool) {
	n, sum, squares, cubes, fourths := float64(p.N), p.Sums[0], p.Sums[1], p.Sums[2], p.Sums[3]
	part := 1 / n // as in DuckDB: whether equal values spread is a matter of rounding
	second := (squares - sum*sum*part) * part
	if p.N <= 1 || second <= 0 {
		return 0, false
	}
	fourth := (fourths - 4*cubes*sum*part + 6*squares*sum*sum*part*part - 3*math.Pow(sum, 4)*math.Pow(part, 3)) * part
	return fourth/(second*second) - 3, true
}

// kurtosisSample is Kurtosis with the correction for the size of a sample.
func kurtosisSample(p *powers) (float64, bool) {
	n := float64(p.N)
	k, ok := kurtosis(p)
	return (n - 1) / ((n - 2) * (n - 3)) * ((n+1)*(k+3) - 3*(n-1)), ok && p.N > 3
}

// skewnessInRange reports whether a result is NULL, that of equal values, or finite.
func skewnessInRange(p *powers) bool {
	v, ok := skewness(p)
	return !ok || finite(v) || math.IsNaN(v) && p.cubedDeviation() == 0
}

// kurtosisInRange reports whether a result is NULL or finite.
func kurtosisInRange(p *powers) bool {
	v, ok := kurtosis(p)
	return !ok || finite(v)
}

// kurtosisSampleInRange reports whether a result is NULL or finite.
func kurtosisSampleInRange(p *powers) bool {
	v, ok := kurtosisSample(p)
	return !ok || finite(v)
}
