package choose

import "github.com/parquetsql/parquetsql/scan"

// want is what a node asks of the scan below it. Filter, Project and Unnest hand it on, as
// does a Union of which one input is picked; other nodes ask for what they want themselves.
type want struct {
	order *order         // the rows in the order of the files; nil: in any
	first *scan.RowOrder // which row groups first; nil: any
	lent  []int          // the columns of the scan of which nobody keeps texts
	picks []int          // the input of each Union between, from the top

	// copies says that whoever keeps texts of the rows copies them, whatever the column. Joins hand
	// it on, too.
	copies bool
}

// order says who wants rows in order.
type order struct {
	whole bool // all that is done with the rows is to hand them on
}
