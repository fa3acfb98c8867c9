package nested

import (
	"github.com/parquetsql/parquetsql/fileformat"
	"github.com/parquetsql/parquetsql/geometry/geoarrow"
	"github.com/parquetsql/parquetsql/vector"
)

// geometryOf is the shape of a group that holds the coordinates of geometries: one child,
// which is the group as it would be without the file's GeoParquet metadata. It is nil if
// the group does not have the structure that the metadata states.
func geometryOf(n *fileformat.Node, o Options, slotDef, slotRep int) *shape {
	if n.Geo == nil || n.Geo.Native == "" {
		return nil
	}
	inner, t := groupValue(n, o, slotDef, slotRep), geoType(n.Geo)
	if inner == nil {
		return nil
	}
	if _, ok := geoarrow.NewEncoder(n.Geo.Native, inner.typ, t); !ok {
		return nil
	}
	return &shape{
		kind: geometry, name: n.Name, node: n, typ: t, slotDef: slotDef, slotRep: slotRep, def: inner.def,
		children: []*shape{inner}, first: inner.first, past: inner.past,
	}
}

// GeometryType is the type of a group that is read as geometries; false for all others.
func GeometryType(n *fileformat.Node, o Options) (vector.Type, bool) {
	if s := geometryOf(n, o, 0, 0); s != nil {
		return s.typ, true
	}
	return vector.Type{}, false
}

// buildGeometry makes WKB of the group.
func (r *Reader) buildGeometry(p *plan, slots int) error {
	group := p.children[0]
	if err := r.build(group, slots); err != nil {
		return err
	}
	if p.encoder == nil {
		p.encoder, _ = geoarrow.NewEncoder(p.node.Geo.Native, group.typ, p.typ)
	}
	p.encoder.Encode(&group.out, &p.out)
	return nil
}
