package scalar

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the zones, where the system has no database of them

	"github.com/parquetsql/parquetsql/vector"
)

// zoneAbbreviations are names of zones that the IANA database does not have or, as EST, has
// for other rules; they stand for the places that ICU and so DuckDB take.
var zoneAbbreviations = map[string]string{
	"ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires", "ART": "Africa/Cairo",
	"AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka", "CAT": "Africa/Harare", "CNT": "America/St_Johns",
	"CST": "America/Chicago", "CTT": "Asia/Shanghai", "EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis",
	"IST": "Asia/Kolkata", "JST": "Asia/Tokyo", "MIT": "Pacific/Apia", "NET": "Asia/Yerevan", "NST": "Pacific/Auckland",
	"PLT": "Asia/Karachi", "PNT": "America/Phoenix", "PRT": "America/Puerto_Rico", "PST": "America/Los_Angeles",
	"SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",
}

// Zones finds time zones by their names and keeps them, because reading one takes
// microseconds. It is for one goroutine.
type Zones struct{ found map[string]*time.Location }

// maxZones bounds what is kept: a name has many spellings.
const maxZones = 1000

// Find finds a time zone by its name in the IANA database, in any letter case.
func (z *Zones) Find(name string) (*time.Location, error) {
	if zone, ok := z.found[name]; ok {
		return zone, nil
	}
	for _, spelling := range zoneSpellings(name) {
		if zone, err := time.LoadLocation(spelling); err == nil {
			if z.found == nil || len(z.found) >= maxZones {
				z.found = map[string]*time.Location{}
			}
			z.found[strings.Clone(name)] = zone // the memory of the batch is used again
			return zone, nil
		}
	}
	return nil, fmt.Errorf("unknown time zone %.100q; zones have the names of the IANA database, such as Europe/Berlin", name)
}

// zoneSpellings are the spellings under which the database may have a zone, the likely ones
// first. The database does not list its names, and they are distinguished by letter case.
func zoneSpellings(name string) []string {
	upper := strings.ToUpper(name)
	switch {
	case name == "" || len(name) > 64 || upper == "LOCAL" || strings.HasPrefix(upper, "RIGHT/"):
		return nil // no zones, or with leap seconds, which timestamps do not have
	case zoneAbbreviations[upper] != "":
		return []string{zoneAbbreviations[upper]}
	}
	region, place, _ := strings.Cut(upper, "/")
	title := titleZone(name)
	titleRegion, _, _ := strings.Cut(title, "/")
	return []string{name, title, upper, titleRegion + "/" + place, region + "/" + strings.TrimPrefix(title, titleRegion+"/")}
}

// zoneWords are the words in the names of zones that are not one capital and small letters.
var zoneWords = map[string]string{"of": "of", "es": "es", "au": "au", "mcmurdo": "McMurdo", "dumontdurville": "DumontDUrville", "gmt": "GMT", "utc": "UTC", "uct": "UCT"}

// titleZone writes each word of a name with a capital.
func titleZone(name string) string {
	out := []byte(strings.ToLower(name))
	for from := 0; from < len(out); {
		to := from
		for to < len(out) && out[to] >= 'a' && out[to] <= 'z' {
			to++
		}
		if w, ok := zoneWords[string(out[from:to])]; ok {
			copy(out[from:to], w)
		} else if to > from {
			out[from] -= 'a' - 'A'
		}
		from = to + 1
	}
	return string(out)
}

// OffsetAt is the offset of a zone, in seconds east of UTC, at a time in nanoseconds since
// 1970.
func OffsetAt(zone *time.Location, v vector.Int128) int64 { return offsetAt(zone, wholeSeconds(v)) }

func offsetAt(zone *time.Location, seconds int64) int64 {
	_, offset := time.Unix(seconds, 0).In(zone).Zone()
	return int64(offset)
}

// OffsetAtLocal is the offset of a zone at a local time, in nanoseconds since 1970 as if it
// were UTC. As in ICU, a local time that comes twice is the later one, and one that is
// left out is read with the offset before the change.
func OffsetAtLocal(zone *time.Location, v vector.Int128) int64 {
	local := wholeSeconds(v)
	before, after := offsetAt(zone, local-SecondsPerDay), offsetAt(zone, local+SecondsPerDay)
	isBefore := offsetAt(zone, local-before) == before
	isAfter := offsetAt(zone, local-after) == after
	switch {
	case isBefore && isAfter:
		return min(before, after)
	case isAfter:
		return after
	}
	return before
}

// ShiftInstant adds seconds to nanoseconds.
func ShiftInstant(v vector.Int128, seconds int64) vector.Int128 {
	return v.Add(vector.Int128From(seconds * NanosPerSec))
}

// wholeSeconds rounds nanoseconds down to seconds. Beyond the years that zones know, all
// years have the offset of the first or last of these.
func wholeSeconds(v vector.Int128) int64 {
	days, nanos := vector.SplitWide(v)
	const limit = 1 << 40
	return min(max(days, -limit), limit)*SecondsPerDay + nanos/NanosPerSec
}
