package text

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
)

// TestGraphemeBreaks has the cases of Unicode 15.0, and of rule GB9c of Unicode 15.1 those of its
// GraphemeBreakTest.txt that differ from 15.0.
func TestGraphemeBreaks(t *testing.T) {
	file, err := os.ReadFile("testdata/GraphemeBreakTest.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(file)) {
		if line, _, _ = strings.Cut(line, "#"); strings.TrimSpace(line) != "" {
			breaks(t, line)
			cases++
		}
	}
	if cases != 602 {
		t.Errorf("%d cases", cases)
	}
	for _, line := range []string{
		"÷ 0915 ÷ 0924 ÷", "÷ 0915 × 094D × 0924 ÷", "÷ 0915 × 094D × 094D × 0924 ÷", "÷ 0915 × 094D × 200D × 0924 ÷", "÷ 0915 × 093C × 200D × 094D × 0924 ÷",
		"÷ 0915 × 093C × 094D × 200D × 0924 ÷", "÷ 0915 × 094D × 0924 × 094D × 092F ÷", "÷ 0915 × 094D ÷ 0061 ÷", "÷ 0061 × 094D ÷ 0924 ÷", "÷ 003F × 094D ÷ 0924 ÷",
		"÷ 0915 × 094D × 094D × 0924 ÷",
	} {
		breaks(t, line)
	}
}

// breaks checks a line of the file: ÷ is a place between two clusters, × is none.
func breaks(t *testing.T, line string) {
	t.Helper()
	var want []string
	for _, cluster := range strings.Split(strings.Trim(strings.TrimSpace(line), "÷"), "÷") {
		var s strings.Builder
		for _, code := range strings.Split(cluster, "×") {
			r, err := strconv.ParseUint(strings.TrimSpace(code), 16, 32)
			if err != nil {
				t.Fatal(line, err)
			}
			s.WriteRune(rune(r))
		}
		want = append(want, s.String())
	}
	var got []string
	for rest := strings.Join(want, ""); rest != ""; {
		n := firstCluster(rest)
		got, rest = append(got, rest[:n]), rest[n:]
	}
	if fmt.Sprintf("%+q", got) != fmt.Sprintf("%+q", want) {
		t.Errorf("%s: %+q", line, got)
	}
	if n := countClusters(strings.Join(want, "")); n != int64(len(want)) {
		t.Errorf("%s: %d clusters", line, n)
	}
	reversed, _ := appendReverse(&kernel.TextBuffer{}, nil, strings.Join(want, ""))
	if len(reversed) != len(strings.Join(want, "")) {
		t.Errorf("%s: reversed %q", line, reversed)
	}
}
