package moment

import "math"

// Powers are a count and the sums of the first four powers.
type Powers struct {
	N    int64
	Sums [4]float64
}

// Add adds a value.
func (p *Powers) Add(v float64) {
	p.N++
	for i, power := 0, v; i < len(p.Sums); i, power = i+1, power*v {
		p.Sums[i] += power
	}
}

// Merge adds the values of o.
func (p *Powers) Merge(o Powers) {
	p.N += o.N
	for i, v := range o.Sums {
		p.Sums[i] += v
	}
}

// cubedDeviation is the cube of the deviation of a population.
func (p *Powers) cubedDeviation() float64 {
	n, sum, squares := float64(p.N), p.Sums[0], p.Sums[1]
	return math.Sqrt(max(math.Pow((squares-sum*sum*(1/n))*(1/n), 3), 0))
}

// Skewness is the third moment of a sample, with the correction for its size.
func Skewness(p *Powers) (float64, bool) {
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

// Kurtosis is the excess of the fourth moment over that of the normal distribution. Equal
// values have none.
func Kurtosis(p *Powers) (float64, bool) {
	n, sum, squares, cubes, fourths := float64(p.N), p.Sums[0], p.Sums[1], p.Sums[2], p.Sums[3]
	part := 1 / n // as in DuckDB: whether equal values spread is a matter of rounding
	second := (squares - sum*sum*part) * part
	if p.N <= 1 || second <= 0 {
		return 0, false
	}
	fourth := (fourths - 4*cubes*sum*part + 6*squares*sum*sum*part*part - 3*math.Pow(sum, 4)*math.Pow(part, 3)) * part
	return fourth/(second*second) - 3, true
}

// KurtosisSample is Kurtosis with the correction for the size of a sample.
func KurtosisSample(p *Powers) (float64, bool) {
	n := float64(p.N)
	k, ok := Kurtosis(p)
	return (n - 1) / ((n - 2) * (n - 3)) * ((n+1)*(k+3) - 3*(n-1)), ok && p.N > 3
}

// SkewnessInRange reports whether a result is NULL, that of equal values, or finite.
func SkewnessInRange(p *Powers) bool {
	v, ok := Skewness(p)
	return !ok || finite(v) || math.IsNaN(v) && p.cubedDeviation() == 0
}

// KurtosisInRange reports whether a result is NULL or finite.
func KurtosisInRange(p *Powers) bool {
	v, ok := Kurtosis(p)
	return !ok || finite(v)
}

// KurtosisSampleInRange reports whether a result is NULL or finite.
func KurtosisSampleInRange(p *Powers) bool {
	v, ok := KurtosisSample(p)
	return !ok || finite(v)
}
