package scope

// fileColumns are DuckDB's names of hidden columns that files have.
var fileColumns = map[string]string{"_file": "filename", "_row": "file_row_number"}

// NameFileColumns lets the hidden columns of a source that names its files have DuckDB's names,
// too. Columns of these names hide them.
func (s *Source) NameFileColumns() {
	for i := range s.Columns {
		c := s.Columns[i]
		if name, ok := fileColumns[c.Name]; ok && c.Hidden {
			c.Name = name
			s.Columns = append(s.Columns, c)
		}
	}
}
