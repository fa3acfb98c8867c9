package fileformat

import (
	"fmt"
	"strings"
	"testing"
)

// TestFindGeometries: what the key geo says of a column counts only where it fits the
// schema. The schema's columns are named for what they are.
func TestFindGeometries(t *testing.T) {
	leaf := func(name string, p PhysicalType, k LogicalKind) *Node {
		return &Node{Name: name, Path: []string{name}, Physical: p, Logical: LogicalType{Kind: k}}
	}
	repeated := leaf("repeated", ByteArray, LogicalNone)
	repeated.Repetition, repeated.MaxRep = Repeated, 1
	group := &Node{Name: "group", Path: []string{"group"}, Physical: noType, Leaf: -1, Children: []*Node{leaf("inside", Double, LogicalNone)}}
	group.Children[0].Path = []string{"group", "inside"}
	typed := leaf("typed", ByteArray, LogicalGeography)
	typed.Logical.CRS, typed.Logical.Algorithm = "projjson:mine", "KARNEY"
	root := &Node{Leaf: -1, Children: []*Node{
		leaf("bytes", ByteArray, LogicalNone), leaf("text", ByteArray, LogicalString), leaf("fixed", FixedLenByteArray, LogicalNone),
		repeated, group, typed, leaf("a", Double, LogicalNone), leaf("b", Float, LogicalNone), leaf("n", Int64, LogicalNone), leaf("twice", Double, LogicalNone), leaf("twice", Double, LogicalNone),
	}}
	covering := func(paths ...string) string {
		return fmt.Sprintf(`{"bbox":{"xmin":[%s],"ymin":[%s],"xmax":[%s],"ymax":[%s]}}`, paths[0], paths[1], paths[2], paths[3])
	}
	inside := `"group","inside"`
	for _, c := range []struct{ column, encoding, covering, want string }{
		{"bytes", "WKB", "null", "WKB EPSG:1"},
		{"bytes", "point", "null", ""},
		{"text", "WKB", "null", ""},
		{"fixed", "WKB", "null", ""},
		{"repeated", "WKB", "null", ""},
		{"group", "WKB", "null", ""},
		{"group", "polygon", "null", "polygon EPSG:1"},
		{"group.inside", "WKB", "null", ""},
		{"absent", "WKB", "null", ""},
		{"typed", "WKB", "null", "WKB EPSG:25832 KARNEY"},
		{"typed", "WKB", covering(`"a"`, `"b"`, `"a"`, inside), "WKB EPSG:25832 KARNEY covered"},
		{"bytes", "WKB", covering(`"a"`, `"b"`, `"a"`, inside), "WKB EPSG:1 covered"},
		{"bytes", "WKB", covering(`"a"`, `"b"`, `"a"`, `"n"`), "WKB EPSG:1"},
		{"bytes", "WKB", covering(`"a"`, `"b"`, `"a"`, `"twice"`), "WKB EPSG:1"},
		{"bytes", "WKB", covering(`"a"`, `"b"`, `"a"`, `"absent"`), "WKB EPSG:1"},
		{"bytes", "WKB", covering(`"a"`, `"b"`, `"a"`, `"group.inside"`), "WKB EPSG:1"},
	} {
		f := &File{Schema: &Schema{Root: root}, Meta: &FileMetaData{KeyValues: []KeyValue{
			{Key: "mine", Value: `{"id":{"authority":"EPSG","code":25832}}`, HasValue: true},
			{Key: "geo", Value: fmt.Sprintf(`{"columns":{%q:{"encoding":%q,"crs":{"id":{"authority":"EPSG","code":1}},"covering":%s}}}`, c.column, c.encoding, c.covering), HasValue: true},
		}}}
		var collect func(*Node)
		collect = func(n *Node) {
			n.Geo = nil
			if len(n.Children) == 0 {
				n.Leaf = len(f.Schema.Leaves)
				f.Schema.Leaves = append(f.Schema.Leaves, n)
			}
			for _, child := range n.Children {
				collect(child)
			}
		}
		collect(root)
		f.findGeometries()
		got := ""
		for _, n := range append(root.Children, group.Children...) {
			if n.Geo == nil || n == typed && c.column != "typed" {
				continue
			}
			got += n.Geo.Native + " " + n.Geo.CRS + " " + n.Geo.Algorithm
			if n.Geo.Native == "" {
				got = "WKB" + got
			}
			got = strings.TrimSpace(got)
			if n.Geo.HasCovering {
				got += " covered"
			}
		}
		if got != c.want {
			t.Errorf("%s as %s, covering %s: got %q, want %q", c.column, c.encoding, c.covering, got, c.want)
		}
	}
}
