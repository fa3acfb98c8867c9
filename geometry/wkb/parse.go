package wkb

// Parse is the geometry of WKB in any of its forms. The error is an *Error.
func Parse(s string) (Geometry, error) {
	c := cursor{s: s}
	h, err := c.header()
	if err != nil {
		return Geometry{}, err
	}
	g, err := c.geometry(h, 1)
	if err == nil {
		err = c.end()
	}
	if err != nil {
		return Geometry{}, err
	}
	return g, nil
}

// ParseHeader reads the first bytes of a geometry only.
func ParseHeader(s string) (Header, error) {
	c := cursor{s: s}
	return c.header()
}

func (c *cursor) geometry(h Header, depth int) (Geometry, error) {
	g := Geometry{Header: h}
	var err error
	switch h.Kind {
	case Point:
		g.Positions, err = c.floats(1, h.Layout)
		if err == nil && g.Positions[0] != g.Positions[0] && g.Positions[1] != g.Positions[1] {
			g.Positions = nil
		}
	case LineString:
		g.Positions, err = c.lineOf(h.Layout)
	case Polygon:
		g.Rings, err = c.rings(h.Layout)
	default:
		g.Parts, err = c.parts(h, depth)
	}
	return g, err
}

func (c *cursor) rings(l Layout) ([][]float64, error) {
	n, err := c.count("rings", 4)
	if err != nil {
		return nil, err
	}
	var rings [][]float64
	for range n {
		ring, err := c.lineOf(l)
		if err != nil {
			return nil, err
		}
		rings = append(rings, ring)
	}
	return rings, nil
}

func (c *cursor) parts(h Header, depth int) ([]Geometry, error) {
	n, err := c.count("parts", smallestPart)
	if err != nil {
		return nil, err
	}
	var parts []Geometry
	for range n {
		part, err := c.part(h, depth+1)
		if err != nil {
			return nil, err
		}
		g, err := c.geometry(part, depth+1)
		if err != nil {
			return nil, err
		}
		parts = append(parts, g)
	}
	return parts, nil
}

func (c *cursor) lineOf(l Layout) ([]float64, error) {
	n, err := c.count("positions", 8*l.Stride())
	if err != nil {
		return nil, err
	}
	return c.floats(n, l)
}

func (c *cursor) floats(n int, l Layout) ([]float64, error) {
	at, err := c.positions(n, l.Stride())
	if err != nil || n == 0 {
		return nil, err
	}
	list := make([]float64, n*l.Stride())
	for i := range list {
		list[i] = c.float(at + 8*i)
	}
	return list, nil
}
