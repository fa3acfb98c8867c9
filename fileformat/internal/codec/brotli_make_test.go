package codec

import (
	"math/bits"
	"math/rand/v2"
	"slices"
)

// brotliMaker writes streams at random, with everything that the format has and that
// no encoder uses all of: it takes symbols rather than data and follows what they
// stand for.
type brotliMaker struct {
	bitWriter
	r      *rand.Rand
	out    []byte // what the stream stands for
	window int
	recent []int // distances, the last one first
}

// madeCode is a prefix code: of each symbol the bits as they are read.
type madeCode struct {
	used []int
	code []madeBits
}

type madeBits struct{ v, n uint }

// madeBlocks are the types of a category.
type madeBlocks struct {
	types, current, previous, left int
	kinds, counts                  madeCode
}

// makeBrotli is a stream and what it stands for.
func makeBrotli(r *rand.Rand) (src, want []byte) {
	m := &brotliMaker{r: r, recent: []int{4, 11, 15, 16}}
	width := 10 + r.IntN(15)
	m.window = 1<<width - 16
	switch {
	case width == 16:
		m.put(0, 1)
	case width == 17:
		m.put(1, 7)
	case width > 17:
		m.put(1|uint(width-17)<<1, 4)
	default:
		m.put(1|uint(width-8)<<4, 7)
	}
	for range 1 + r.IntN(4) {
		switch r.IntN(6) {
		case 0:
			m.metadata(false)
		case 1, 2:
			m.uncompressed()
		default:
			m.compressed(false)
		}
	}
	switch r.IntN(3) {
	case 0:
		m.metadata(true)
	case 1:
		m.compressed(true)
	default:
		m.put(3, 2)
	}
	m.align()
	return m.bytes, m.out
}

func (m *brotliMaker) last(last bool) {
	if last {
		m.put(1, 2)
	} else {
		m.put(0, 1)
	}
}

func (m *brotliMaker) metadata(last bool) {
	m.last(last)
	m.put(3, 3)
	content := make([]byte, m.r.IntN(3)*m.r.IntN(200))
	switch n := uint(len(content)); {
	case n == 0:
		m.put(0, 2)
	case n <= 256:
		m.put(1, 2)
		m.put(n-1, 8)
	default:
		m.put(2, 2)
		m.put(n-1, 16)
	}
	m.align()
	m.bytes = append(m.bytes, content...)
}

// length writes MLEN, which may have more nibbles than it needs only if that is 4.
func (m *brotliMaker) length(n int) {
	nibbles := max(4, (bits.Len(uint(n-1))+3)/4)
	m.put(uint(nibbles-4), 2)
	m.put(uint(n-1), uint(4*nibbles))
}

func (m *brotliMaker) uncompressed() {
	content := make([]byte, 1+m.r.IntN(1+m.r.IntN(70_000)))
	for i := range content {
		content[i] = byte(m.r.IntN(256))
	}
	m.last(false)
	m.length(len(content))
	m.put(1, 1)
	m.align()
	m.bytes = append(m.bytes, content...)
	m.out = append(m.out, content...)
}

func (m *brotliMaker) number(n int) {
	if n == 1 {
		m.put(0, 1)
		return
	}
	width := bits.Len(uint(n-1)) - 1
	m.put(1|uint(width)<<1, 4)
	m.put(uint(n-1-1<<width), uint(width))
}

// few is mostly a small number, at most limit.
func (m *brotliMaker) few(limit int) int {
	return 1 + m.r.IntN(1+m.r.IntN(1+m.r.IntN(limit)))
}

// compressed writes a meta-block. What follows its length is made first.
func (m *brotliMaker) compressed(last bool) {
	body := &brotliMaker{r: m.r, out: m.out, window: m.window, recent: slices.Clone(m.recent)}
	for !body.body() {
		*body = brotliMaker{r: m.r, out: m.out, window: m.window, recent: slices.Clone(m.recent)}
	}
	m.last(last)
	m.length(len(body.out) - len(m.out))
	if !last {
		m.put(0, 1)
	}
	for _, b := range body.bytes {
		m.put(uint(b), 8)
	}
	m.put(uint(body.bits), body.count)
	m.out, m.recent = body.out, body.recent
}

// body writes what follows the length, or reports that it has to be tried again.
func (m *brotliMaker) body() bool {
	literals, commands, distances := m.blocks(), m.blocks(), m.blocks()
	postfix := m.r.IntN(4)
	direct := m.r.IntN(16) * m.r.IntN(2)
	m.put(uint(postfix|direct<<2), 6)
	direct <<= postfix
	modes := make([]int, literals.types)
	for i := range modes {
		modes[i] = m.r.IntN(4)
		m.put(uint(modes[i]), 2)
	}
	literalMap, nLiterals := m.contextMap(64 * literals.types)
	distanceMap, nDistances := m.contextMap(4 * distances.types)
	var literalCodes, commandCodes, distanceCodes []madeCode
	for range nLiterals {
		literalCodes = append(literalCodes, m.code(256, 256, 256))
	}
	for range commands.types {
		commandCodes = append(commandCodes, m.code(704, 704, 100))
	}
	for range nDistances {
		// Mostly without too many bits behind them, so that there is something there.
		distanceCodes = append(distanceCodes, m.code(16+direct+48<<postfix, 16+direct+(2+m.r.IntN(34))<<postfix, 60))
	}
	start := len(m.out)
	for n := 1 + m.r.IntN(1+m.r.IntN(300)); ; n-- {
		before := len(m.out)
		m.element(&commands)
		s := m.symbol(commandCodes[commands.current])
		insert, length := m.commandLengths(s)
		if len(m.out)-start+insert+length > 100_000 {
			return false
		}
		for range insert {
			m.element(&literals)
			p1, p2 := byte(0), byte(0)
			if n := len(m.out); n > 0 {
				p1 = m.out[n-1]
				if n > 1 {
					p2 = m.out[n-2]
				}
			}
			context := contextOf(modes[literals.current], p1, p2)
			m.out = append(m.out, byte(m.symbol(literalCodes[literalMap[64*literals.current+context]])))
		}
		if n <= 0 && insert > 0 && m.r.IntN(2) == 0 {
			return true
		}
		distance, symbol := m.recent[0], 0
		if s >= 128 {
			m.element(&distances)
			code := distanceCodes[distanceMap[4*distances.current+min(length-2, 3)]]
			var extra madeBits
			for range 20 { // until it is one that means something
				symbol = code.used[m.r.IntN(len(code.used))]
				if distance, extra = m.distance(symbol, postfix, direct); m.means(distance, length) {
					break
				}
			}
			m.put(code.code[symbol].v, code.code[symbol].n)
			m.put(extra.v, extra.n)
		}
		reach := min(m.window, len(m.out))
		switch {
		case !m.means(distance, length):
			return false
		case distance <= reach:
			if symbol != 0 {
				m.recent = append([]int{distance}, m.recent[:3]...)
			}
			for range length {
				m.out = append(m.out, m.out[len(m.out)-distance])
			}
		default:
			id := distance - reach - 1
			word := brotliWords()[brotliWordStart[length]+id%(1<<brotliWordBits[length])*length:][:length]
			m.out = brotliTransforms[id>>brotliWordBits[length]].appendTo(m.out, word)
		}
		if n <= 0 && len(m.out) > before {
			return true
		}
	}
}

// contextOf is the context ID (section 7.1).
func contextOf(mode int, p1, p2 byte) int {
	lut0, lut1, lut2 := &brotliContexts[2][0], &brotliContexts[2][1], &brotliContexts[3][1]
	switch mode {
	case 0:
		return int(p1 & 63)
	case 1:
		return int(p1 >> 2)
	case 2:
		return int(lut0[p1] | lut1[p2])
	default:
		return int(lut2[p1]<<3 | lut2[p2])
	}
}

// commandLengths writes the bits behind a command's symbol.
func (m *brotliMaker) commandLengths(s int) (insert, length int) {
	of := brotliCommands[s]
	a, b := uint(of>>brotliInsertExtra&31), uint(of>>brotliCopyExtra&31)
	x, y := m.extra(a), m.extra(b)
	return int(of>>brotliInsert&0xFFFF) + x, int(of>>brotliCopy) + y
}

// extra writes n bits, of which the higher ones are rarely set.
func (m *brotliMaker) extra(n uint) int {
	v := m.someBits(n)
	m.put(v.v, v.n)
	return int(v.v)
}

func (m *brotliMaker) someBits(n uint) madeBits {
	return madeBits{uint(m.r.IntN(1<<n) >> m.r.IntN(int(n)+1)), n}
}

// distance is one that the symbol stands for, and the bits behind it (section 4).
func (m *brotliMaker) distance(symbol, postfix, direct int) (int, madeBits) {
	switch {
	case symbol < 4:
		return m.recent[symbol], madeBits{}
	case symbol < 10:
		return m.recent[0] + []int{-1, 1, -2, 2, -3, 3}[symbol-4], madeBits{}
	case symbol < 16:
		return m.recent[1] + []int{-1, 1, -2, 2, -3, 3}[symbol-10], madeBits{}
	case symbol < 16+direct:
		return symbol - 15, madeBits{}
	}
	n := 1 + (symbol-direct-16)>>(postfix+1)
	high, low := (symbol-direct-16)>>postfix, (symbol-direct-16)&(1<<postfix-1)
	offset := (2+high&1)<<n - 4
	extra := m.someBits(uint(n))
	return (offset+int(extra.v))<<postfix + low + direct + 1, extra
}

// means tells whether there is something at that distance.
func (m *brotliMaker) means(distance, length int) bool {
	reach := min(m.window, len(m.out))
	return distance > 0 && (distance <= reach || 4 <= length && length <= 24 && (distance-reach-1)>>brotliWordBits[length] <= 120)
}

func (m *brotliMaker) symbol(c madeCode) int {
	s := c.used[m.r.IntN(len(c.used))]
	m.put(c.code[s].v, c.code[s].n)
	return s
}

func (m *brotliMaker) blocks() madeBlocks {
	b := madeBlocks{types: m.few(256), previous: 1}
	m.number(b.types)
	if b.types > 1 {
		b.kinds = m.code(b.types+2, b.types+2, b.types+2)
		b.counts = m.code(26, 8, 8)
		b.left = m.blockCount(&b)
	}
	return b
}

func (m *brotliMaker) blockCount(b *madeBlocks) int {
	s := m.symbol(b.counts)
	return brotliCounts[s].base + m.extra(brotliCounts[s].extra)
}

// element begins a new block where that is due.
func (m *brotliMaker) element(b *madeBlocks) {
	if b.types == 1 {
		return
	}
	if b.left == 0 {
		kind := m.symbol(b.kinds)
		switch kind {
		case 0:
			kind = b.previous
		case 1:
			kind = (b.current + 1) % b.types
		default:
			kind -= 2
		}
		b.previous, b.current = b.current, kind
		b.left = m.blockCount(b)
	}
	b.left--
}

// contextMap writes a map of n entries in which each of the codes occurs, and gives it.
func (m *brotliMaker) contextMap(n int) (numbers []int, trees int) {
	trees = m.few(min(n, 256))
	m.number(trees)
	numbers = make([]int, n)
	if trees == 1 {
		return numbers, 1
	}
	for i := range numbers {
		numbers[i] = m.r.IntN(trees) * m.r.IntN(2)
	}
	for i, at := range m.r.Perm(n)[:trees] {
		numbers[at] = i
	}
	stored := slices.Clone(numbers)
	toFront := m.r.IntN(2)
	if toFront == 1 {
		list := make([]int, trees)
		for i := range list {
			list[i] = i
		}
		for i, v := range numbers {
			at := slices.Index(list, v)
			stored[i] = at
			list = slices.Insert(slices.Delete(list, at, at+1), 0, v)
		}
	}
	runs := m.r.IntN(17) * m.r.IntN(2)
	if runs == 0 {
		m.put(0, 1)
	} else {
		m.put(1|uint(runs-1)<<1, 5)
	}
	code := m.code(trees+runs, trees+runs, -1)
	put := func(s int) { m.put(code.code[s].v, code.code[s].n) }
	for i := 0; i < n; i++ {
		zeros := 0
		for i+zeros < n && stored[i+zeros] == 0 {
			zeros++
		}
		switch width := min(bits.Len(uint(zeros))-1, runs); {
		case stored[i] != 0:
			put(stored[i] + runs)
		case width > 0 && m.r.IntN(4) > 0:
			extra := m.r.IntN(min(1<<width, zeros+1-1<<width))
			put(width)
			m.put(uint(extra), uint(width))
			i += 1<<width + extra - 1
		default:
			put(0)
		}
	}
	m.put(uint(toFront), 1)
	return numbers, trees
}

// code writes a code for up to most of the first limit symbols of an alphabet, or for
// all of them where most is -1.
func (m *brotliMaker) code(alphabet, limit, most int) madeCode {
	n := limit
	if most >= 0 {
		n = m.few(min(limit, most))
	}
	used := m.r.Perm(limit)[:n]
	if n <= 4 && m.r.IntN(4) > 0 || n == 1 {
		return m.simple(alphabet, used)
	}
	lengths := make([]uint8, alphabet)
	for i, l := range m.tree(n, maxCode) {
		lengths[used[i]] = l
	}
	m.complex(lengths)
	return codeOf(lengths)
}

// tree is the depth of each of n leaves of a tree, at most deepest.
func (m *brotliMaker) tree(n, deepest int) []uint8 {
	leaves := []uint8{0}
	for len(leaves) < n {
		i := m.r.IntN(len(leaves))
		if m.r.IntN(2) == 0 { // rather a young one: deeper
			i = len(leaves) - 1
		}
		if int(leaves[i]) < deepest {
			leaves[i]++
			leaves = append(leaves, leaves[i])
		}
	}
	return leaves
}

// codeOf gives out codes by length, then by symbol.
func codeOf(lengths []uint8) madeCode {
	c := madeCode{code: make([]madeBits, len(lengths))}
	code := uint(0)
	for n := range uint8(maxCode + 1) {
		for s, l := range lengths {
			if n > 0 && l == n {
				c.code[s] = madeBits{bits.Reverse(code) >> (bits.UintSize - n), uint(n)}
				c.used = append(c.used, s)
				code++
			}
		}
		code <<= 1
	}
	return c
}

func (m *brotliMaker) simple(alphabet int, used []int) madeCode {
	m.put(1|uint(len(used)-1)<<2, 4)
	for _, s := range used {
		m.put(uint(s), uint(bits.Len(uint(alphabet-1))))
	}
	if len(used) == 1 {
		return madeCode{used, make([]madeBits, alphabet)}
	}
	of := [][]uint8{{1, 1}, {1, 2, 2}, {2, 2, 2, 2}}[len(used)-2]
	if len(used) == 4 {
		deep := m.r.IntN(2)
		m.put(uint(deep), 1)
		if deep == 1 {
			of = []uint8{1, 2, 3, 3}
		}
	}
	lengths := make([]uint8, alphabet)
	for i, s := range used {
		lengths[s] = of[i]
	}
	return codeOf(lengths)
}

// complex writes lengths (section 3.5).
func (m *brotliMaker) complex(lengths []uint8) {
	type step struct {
		symbol     int
		value, per uint
	}
	var steps []step
	for len(lengths) > 0 && lengths[len(lengths)-1] == 0 {
		lengths = lengths[:len(lengths)-1]
	}
	before := uint8(8)
	for at := 0; at < len(lengths); {
		l := lengths[at]
		run := 1
		for at+run < len(lengths) && lengths[at+run] == l {
			run++
		}
		switch {
		case run >= 3 && (l == 0 || l == before) && m.r.IntN(5) > 0:
			symbol, per := 16, uint(2)
			if l == 0 {
				symbol, per = 17, 3
			}
			var digits []step
			for x := run - 3; ; x = x>>per - 1 {
				digits = append(digits, step{symbol, uint(x & (1<<per - 1)), per})
				if x < 1<<per {
					break
				}
			}
			slices.Reverse(digits)
			steps = append(steps, digits...)
			at += run
		default:
			steps = append(steps, step{symbol: int(l)})
			at++
		}
		if l != 0 {
			before = l
		}
	}
	var used []int
	for _, s := range steps {
		if !slices.Contains(used, s.symbol) {
			used = append(used, s.symbol)
		}
	}
	m.r.Shuffle(len(used), func(i, j int) { used[i], used[j] = used[j], used[i] })
	own := make([]uint8, 18)
	code := madeCode{code: make([]madeBits, 18)}
	if len(used) == 1 {
		own[used[0]] = uint8(1 + m.r.IntN(5))
	} else {
		for i, l := range m.tree(len(used), 5) {
			own[used[i]] = l
		}
		code = codeOf(own)
	}
	order := brotliOrder[:]
	skip := 0
	if own[1] == 0 && own[2] == 0 {
		skip = 2
		if own[3] == 0 && m.r.IntN(2) == 0 {
			skip = 3
		}
	}
	m.put(uint(skip), 2)
	space := 32
	fixed := [6]madeBits{{0, 2}, {7, 4}, {3, 3}, {2, 2}, {1, 2}, {15, 4}}
	for _, s := range order[skip:] {
		if space == 0 {
			break
		}
		m.put(fixed[own[s]].v, fixed[own[s]].n)
		if own[s] != 0 {
			space -= 32 >> own[s]
		}
	}
	for _, s := range steps {
		m.put(code.code[s.symbol].v, code.code[s.symbol].n)
		m.put(s.value, s.per)
	}
}
