package main

import (
	"errors"
	"html/template"
	"net/url"
	"strconv"
	"strings"
)

// The years of the films. Some of the dates in the file are of the next century.
const (
	firstYear = 1960
	lastYear  = 2010
)

// filter is what the address of a page asks for.
type filter struct {
	Genre, Rating string // "" is any
	From, To      int
}

// errFilter is an address that asks for what cannot be.
var errFilter = errors.New("the years are numbers from 1960 to 2010, the first before the last")

func filterOf(values url.Values) (filter, error) {
	f := filter{Genre: values.Get("genre"), Rating: values.Get("rating"), From: firstYear, To: lastYear}
	for name, target := range map[string]*int{"from": &f.From, "to": &f.To} {
		if text := values.Get(name); text != "" {
			year, err := strconv.Atoi(text)
			if err != nil || year < firstYear || year > lastYear {
				return filter{From: firstYear, To: lastYear}, errFilter
			}
			*target = year
		}
	}
	if f.From > f.To {
		return filter{From: firstYear, To: lastYear}, errFilter
	}
	return f, nil
}

// where is the condition of a query and its arguments. Dates are compared as a range, so that the
// driver skips row groups and pages by their bounds.
func (f filter) where() (string, []any) {
	conditions := []string{`"Release Date" >= MAKE_DATE(?, 1, 1) AND "Release Date" < MAKE_DATE(?, 1, 1)`}
	args := []any{f.From, f.To + 1}
	if f.Genre != "" {
		conditions, args = append(conditions, `"Major Genre" = ?`), append(args, f.Genre)
	}
	if f.Rating != "" {
		conditions, args = append(conditions, `"MPAA Rating" = ?`), append(args, f.Rating)
	}
	return " WHERE " + strings.Join(conditions, " AND ") + " ", args
}

// Query is the filter as the query of an address. It is escaped here.
func (f filter) Query() template.URL {
	values := url.Values{}
	for name, text := range map[string]string{"genre": f.Genre, "rating": f.Rating} {
		if text != "" {
			values.Set(name, text)
		}
	}
	if f.From != firstYear {
		values.Set("from", strconv.Itoa(f.From))
	}
	if f.To != lastYear {
		values.Set("to", strconv.Itoa(f.To))
	}
	return template.URL(values.Encode())
}
