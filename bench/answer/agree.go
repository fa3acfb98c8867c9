package answer

// Agree compares two answers to a query, each of which was read once, and says how they
// differ. Where LIMIT may choose among ties, only the columns of ORDER BY are compared:
// see Check for more.
func Agree(got, want Answer, text string) string {
	if !limit.MatchString(text) {
		return Difference(got, want)
	}
	if len(got.Rows) != len(want.Rows) {
		return Difference(got, want)
	}
	if columns := sortColumns(limit.ReplaceAllString(text, ""), want.Columns); !Same(got, want, columns) {
		return Difference(got, want)
	}
	return ""
}
