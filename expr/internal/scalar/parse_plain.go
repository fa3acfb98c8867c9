package scalar

// ParsePlain reads timestamps as most texts have them: 2024-02-29 13:14:15, and up to nine digits of a fraction. For all others,
// right or wrong, it returns false.
func ParsePlain(text string) (days, nanos int64, ok bool) {
	const length = len("2024-02-29 13:14:15")
	if len(text) < length || text[4] != '-' || text[7] != '-' || text[10] != ' ' && text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return 0, 0, false
	}
	century, bad := twoDigits(text[0], text[1])
	year, b := twoDigits(text[2], text[3])
	year, bad = 100*century+year, bad|b
	month, b := twoDigits(text[5], text[6])
	bad |= b
	day, b := twoDigits(text[8], text[9])
	bad |= b
	hour, b := twoDigits(text[11], text[12])
	bad |= b
	minute, b := twoDigits(text[14], text[15])
	bad |= b
	second, b := twoDigits(text[17], text[18])
	if bad |= b; bad > 15 || year == 0 || hour > 23 || minute > 59 || second > 59 {
		return 0, 0, false
	}
	if days, ok = CivilDays(int64(year), int64(month), int64(day)); !ok {
		return 0, 0, false
	}
	nanos = int64(hour*3600+minute*60+second) * NanosPerSec
	if len(text) == length {
		return days, nanos, true
	}
	fraction := text[length:]
	if fraction[0] != '.' || len(fraction) < 2 || len(fraction) > 10 {
		return 0, 0, false
	}
	v := int64(0)
	for i := range 9 {
		v *= 10
		if i+1 < len(fraction) {
			digit := fraction[i+1] - '0'
			if digit > 9 {
				return 0, 0, false
			}
			v += int64(digit)
		}
	}
	return days, nanos + v, true
}

// twoDigits is the number of two digits. bad is above 15 if one is none.
func twoDigits(a, b byte) (v, bad uint32) {
	x, y := uint32(a-'0'), uint32(b-'0')
	return 10*x + y, (9 - x) | (9 - y)
}
