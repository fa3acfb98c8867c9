package codec

// brotliTransform makes one of the 121 forms of a word (section 8).
type brotliTransform struct {
	before string
	change wordChange
	behind string
}

// wordChange is what is done to the word itself: bytes may go at one of its ends,
// one to nine of them.
type wordChange uint8

const (
	asIs wordChange = iota
	upperFirst
	upperAll
	omitFirst wordChange = 2
	omitLast  wordChange = 11
)

// brotliLongest is how long the longest word may become.
const brotliLongest = 24 + 13

// appendTo appends what becomes of word.
func (t *brotliTransform) appendTo(to, word []byte) []byte {
	to = append(to, t.before...)
	at := len(to)
	switch c := t.change; {
	case c > omitLast:
		word = word[:max(0, len(word)-int(c-omitLast))]
	case c > omitFirst:
		word = word[min(len(word), int(c-omitFirst)):]
	}
	to = append(to, word...)
	switch t.change {
	case upperFirst:
		upper(to[at:])
	case upperAll:
		for at < len(to) {
			at += upper(to[at:])
		}
	}
	return append(to, t.behind...)
}

// upper turns the first letter into a capital one and gives its length. Beyond ASCII
// it does so as the format says, which is right for Greek and Cyrillic letters and
// few others. A letter may be cut off.
func upper(word []byte) int {
	switch b := word[0]; {
	case b >= 0xE0:
		if len(word) > 2 {
			word[2] ^= 5
		}
		return 3
	case b >= 0xC0:
		if len(word) > 1 {
			word[1] ^= ' '
		}
		return 2
	case 'a' <= b && b <= 'z':
		word[0] ^= ' '
	}
	return 1
}

// brotliTransforms are those of appendix B in its order.
var brotliTransforms = [121]brotliTransform{
	{"", asIs, ""}, {"", asIs, " "}, {" ", asIs, " "}, {"", omitFirst + 1, ""}, {"", upperFirst, " "},
	{"", asIs, " the "}, {" ", asIs, ""}, {"s ", asIs, " "}, {"", asIs, " of "}, {"", upperFirst, ""},
	{"", asIs, " and "}, {"", omitFirst + 2, ""}, {"", omitLast + 1, ""}, {", ", asIs, " "}, {"", asIs, ", "},
	{" ", upperFirst, " "}, {"", asIs, " in "}, {"", asIs, " to "}, {"e ", asIs, " "}, {"", asIs, `"`},
	{"", asIs, "."}, {"", asIs, `">`}, {"", asIs, "\n"}, {"", omitLast + 3, ""}, {"", asIs, "]"},
	{"", asIs, " for "}, {"", omitFirst + 3, ""}, {"", omitLast + 2, ""}, {"", asIs, " a "}, {"", asIs, " that "},
	{" ", upperFirst, ""}, {"", asIs, ". "}, {".", asIs, ""}, {" ", asIs, ", "}, {"", omitFirst + 4, ""},
	{"", asIs, " with "}, {"", asIs, "'"}, {"", asIs, " from "}, {"", asIs, " by "}, {"", omitFirst + 5, ""},
	{"", omitFirst + 6, ""}, {" the ", asIs, ""}, {"", omitLast + 4, ""}, {"", asIs, ". The "}, {"", upperAll, ""},
	{"", asIs, " on "}, {"", asIs, " as "}, {"", asIs, " is "}, {"", omitLast + 7, ""}, {"", omitLast + 1, "ing "},
	{"", asIs, "\n\t"}, {"", asIs, ":"}, {" ", asIs, ". "}, {"", asIs, "ed "}, {"", omitFirst + 9, ""},
	{"", omitFirst + 7, ""}, {"", omitLast + 6, ""}, {"", asIs, "("}, {"", upperFirst, ", "}, {"", omitLast + 8, ""},
	{"", asIs, " at "}, {"", asIs, "ly "}, {" the ", asIs, " of "}, {"", omitLast + 5, ""}, {"", omitLast + 9, ""},
	{" ", upperFirst, ", "}, {"", upperFirst, `"`}, {".", asIs, "("}, {"", upperAll, " "}, {"", upperFirst, `">`},
	{"", asIs, `="`}, {" ", asIs, "."}, {".com/", asIs, ""}, {" the ", asIs, " of the "}, {"", upperFirst, "'"},
	{"", asIs, ". This "}, {"", asIs, ","}, {".", asIs, " "}, {"", upperFirst, "("}, {"", upperFirst, "."},
	{"", asIs, " not "}, {" ", asIs, `="`}, {"", asIs, "er "}, {" ", upperAll, " "}, {"", asIs, "al "},
	{" ", upperAll, ""}, {"", asIs, "='"}, {"", upperAll, `"`}, {"", upperFirst, ". "}, {" ", asIs, "("},
	{"", asIs, "ful "}, {" ", upperFirst, ". "}, {"", asIs, "ive "}, {"", asIs, "less "}, {"", upperAll, "'"},
	{"", asIs, "est "}, {" ", upperFirst, "."}, {"", upperAll, `">`}, {" ", asIs, "='"}, {"", upperFirst, ","},
	{"", asIs, "ize "}, {"", upperAll, "."}, {"\xc2\xa0", asIs, ""}, {" ", asIs, ","}, {"", upperFirst, `="`},
	{"", upperAll, `="`}, {"", asIs, "ous "}, {"", upperAll, ", "}, {"", upperFirst, "='"}, {" ", upperFirst, ","},
	{" ", upperAll, `="`}, {" ", upperAll, ", "}, {"", upperAll, ","}, {"", upperAll, "("}, {"", upperAll, ". "},
	{" ", upperAll, "."}, {"", upperAll, "='"}, {" ", upperAll, ". "}, {" ", upperFirst, `="`}, {" ", upperAll, "='"},
	{" ", upperFirst, "='"},
}
