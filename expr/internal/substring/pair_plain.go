//go:build noasm || !amd64

package substring

import "math"

// vectorBytes is how many places nextPair needs: no text has as many.
const vectorBytes = math.MaxInt

func nextPair(string, string, lane, lane) int { return -1 }
