package scalar

import "math"

// LeastNormal is the least positive DOUBLE with a leading one. The library's math.Log takes
// the bits of a smaller one for those of another number, and so does what computes with it.
const LeastNormal = 0x1p-1022

// Ln is the natural logarithm of a number.
func Ln(v float64) float64 {
	const raised = 54 // binary digits; what is raised by them is normal
	if v > 0 && v < LeastNormal {
		return math.Log(math.Ldexp(v, raised)) - raised*math.Ln2
	}
	return math.Log(v)
}
