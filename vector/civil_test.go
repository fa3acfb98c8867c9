package vector

import (
	"testing"
	"time"
)

// TestDaysFromCivil compares days with the standard library's, on both sides of the years for which 32 bits do.
func TestDaysFromCivil(t *testing.T) {
	for year := int64(-500); year < 33500; year++ {
		for month := 1; month <= 12; month++ {
			for _, day := range []int{1, 28} {
				want := time.Date(int(year), time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / 86400
				if got := DaysFromCivil(year, month, day); got != want {
					t.Fatalf("%d-%d-%d is day %d, want %d", year, month, day, got, want)
				}
			}
		}
	}
}
