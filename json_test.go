package parquetsql_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parquetsql/parquetsql"
)

// TestJSONWithoutValid gives a JSON as an argument that has a value and says that it is NULL.
func TestJSONWithoutValid(t *testing.T) {
	db := openTexts(t, "testdata")
	var n int
	err := db.QueryRow("SELECT 1 WHERE [1] = ?", parquetsql.JSON[[]int]{V: []int{1}}).Scan(&n)
	if err == nil || !strings.Contains(err.Error(), "Valid is false") {
		t.Errorf("a value without Valid: %v", err)
	}
	var none bool
	if err := db.QueryRow("SELECT ? IS NULL", parquetsql.JSON[[]int]{}).Scan(&none); err != nil || !none {
		t.Errorf("NULL: %v, %v", none, err)
	}
}

// TestJSONTimes scans dates and timestamps within lists, maps and structs.
func TestJSONTimes(t *testing.T) {
	db := openTexts(t, "testdata")
	day, noon := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), time.Date(2024, 2, 29, 12, 0, 0, 500, time.UTC)
	var list parquetsql.JSON[[]*time.Time]
	if err := db.QueryRow("SELECT [DATE '2024-02-29', NULL]").Scan(&list); err != nil || len(list.V) != 2 || !list.V[0].Equal(day) || list.V[1] != nil {
		t.Errorf("dates: %v, %v", list, err)
	}
	var m parquetsql.JSON[map[string]time.Time]
	if err := db.QueryRow("SELECT MAP {'a': TIMESTAMP_NS '2024-02-29 12:00:00.0000005'}").Scan(&m); err != nil || !m.V["a"].Equal(noon) {
		t.Errorf("timestamps: %v, %v", m, err)
	}
	type base struct {
		Text string `json:"t"`
	}
	var s parquetsql.JSON[struct {
		base
		At   time.Time `json:"day"`
		Next []time.Time
	}]
	if err := db.QueryRow("SELECT {'t': '2024-02-29', 'day': DATE '2024-02-29', 'next': [TIMESTAMPTZ '2024-02-29 12:00:00+00']}").Scan(&s); err != nil ||
		s.V.Text != "2024-02-29" || !s.V.At.Equal(day) || len(s.V.Next) != 1 {
		t.Errorf("a struct: %+v, %v", s.V, err)
	}
	if err := db.QueryRow("SELECT ['x']").Scan(&list); err == nil || list.Valid {
		t.Errorf("a text is the time %v", list)
	}
	var floats parquetsql.JSON[[]float64]
	if err := db.QueryRow("SELECT ['NaN'::DOUBLE]").Scan(&floats); err == nil || !strings.Contains(err.Error(), "any in place of float64") {
		t.Errorf("NaN: %v, %v", floats, err)
	}
}
