package json

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/internal/errs"
	"github.com/parquetsql/parquetsql/vector"
)

// TransformFunctions convert JSON values to values of a type, which is written in the
// shape of the values, as JSON_STRUCTURE shows it.
var TransformFunctions = []expr.Function{
	{Name: "JSON_TRANSFORM", Aliases: []string{"FROM_JSON"}, Help: "the JSON value as a value of the type; NULL where it does not convert", Example: `JSON_TRANSFORM('{"a": 1, "b": 2}', '{"a": "INTEGER"}') → {"a":1}`,
		Binding: define.Custom(transform(false), "JSON | VARCHAR, 'structure' → T")},
	{Name: "JSON_TRANSFORM_STRICT", Aliases: []string{"FROM_JSON_STRICT"}, Help: "the JSON value as a value of the type; it fails where it does not convert", Example: `JSON_TRANSFORM_STRICT('[1, 2]', '["INTEGER"]') → [1,2]`,
		Binding: define.Custom(transform(true), "JSON | VARCHAR, 'structure' → T")},
}

func transform(strict bool) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		text, err := define.ConstantText(call.Name, "structure", args[1])
		if err != nil {
			return nil, err
		}
		shape, err := parse(nil, text)
		if err != nil {
			return nil, fmt.Errorf("%s: the structure: %w", call.Name, err)
		}
		t, err := typeOf(shape)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", call.Name, err)
		}
		x, err := wantJSON.Bind(call.Name, args[0])
		if err != nil {
			return nil, err
		}
		return ofType(call, []expr.Expr{x, args[1]}, t, rules{strict: strict})
	}
}

// rules are what JSON values must be to convert to a type.
type rules struct {
	strict bool // what does not convert is an error, and each field of a STRUCT must be there once
	sealed bool // an object has no other keys than the STRUCT
}

// castFunction and tryCastFunction are casts of JSON to nested types. Their second argument
// is an empty list whose elements have the type.
var (
	castFunction    = expr.Function{Name: "CAST", Binding: define.Custom(castOf(rules{strict: true, sealed: true}), "JSON, LIST(T) → T")}
	tryCastFunction = expr.Function{Name: "TRY_CAST", Binding: define.Custom(castOf(rules{}), "JSON, LIST(T) → T")}
)

func castOf(r rules) define.Binder {
	return func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return ofType(call, args, args[1].Type().Fields[0].Type, r)
	}
}

// Cast is JSON as a value of a nested type.
func Cast(x expr.Expr, t vector.Type, try bool) (expr.Expr, error) {
	list := expr.ListType(t)
	like := vector.Scalar{Type: list, Nested: &vector.Vector{Type: list, Len: 1, Offsets: []int32{0, 0}, Children: []*vector.Vector{vector.New(t, 0)}}}
	f := &castFunction
	if try {
		f = &tryCastFunction
	}
	return f.Call(f.Name, []expr.Expr{x, expr.NewConst(like)})
}

// ofType is argument 0, which is JSON, as a value of a type. call makes the same of the
// arguments.
func ofType(call expr.Callee, args []expr.Expr, t vector.Type, r rules) (expr.Expr, error) {
	if expr.HasVariant(t) {
		return nil, errs.Unsupported("%s to %s; cast the JSON to VARIANT", call.Name, t)
	}
	parts := expr.NewCall(call, args, textLeaves(t), &expr.Routine{
		Args:      args[:1],
		Operation: kernel.Operation{Careful: true, Make: func() kernel.Func { return divide(t, r) }},
	})
	return expr.NewCast(parts, t, !r.strict)
}

// typeOf is the type that a structure means: {"name": structure} a STRUCT, [structure] a
// LIST, and a string the name of a type.
func typeOf(shape tree) (vector.Type, error) {
	switch within := shape.within(); {
	case shape.kind() == '"' && strings.EqualFold(shape.text(), "NULL"):
		return vector.Of(vector.Integer), nil
	case shape.kind() == '"':
		return typeNamed(strings.TrimSpace(shape.text()))
	case shape.kind() == '[' && len(within) > 0 && len(within) == int(within[0].Span):
		t, err := typeOf(within)
		return expr.ListType(t), err
	case shape.kind() == '{' && len(within) > 0:
		var fields []vector.Field
		for rest := within; len(rest) > 0; {
			var item tree
			item, rest = rest.cut()
			t, err := typeOf(item)
			if err != nil {
				return t, err
			}
			name := item[0].Name
			if slices.ContainsFunc(fields, func(f vector.Field) bool { return strings.EqualFold(f.Name, name) }) {
				return t, fmt.Errorf("the structure has the field %q twice", name)
			}
			fields = append(fields, vector.Field{Name: name, Type: t, Nullable: true})
		}
		return vector.Type{Kind: vector.Struct, Fields: fields}, nil
	}
	return vector.Type{}, fmt.Errorf("a structure is the name of a type, an array of one structure or an object of structures, not %s", shape.append(nil, nil))
}

// typeNamed is the type of a name: also T[] and MAP(K, V).
func typeNamed(name string) (vector.Type, error) {
	if element, ok := strings.CutSuffix(name, "[]"); ok {
		t, err := typeNamed(strings.TrimSpace(element))
		return expr.ListType(t), err
	}
	if len(name) > 4 && strings.EqualFold(name[:4], "MAP(") && strings.HasSuffix(name, ")") {
		key, value, ok := strings.Cut(name[4:len(name)-1], ",")
		if !ok || strings.Contains(key, "(") { // the keys of JSON objects are texts
			return vector.Type{}, fmt.Errorf("the type %q has no simple type of keys", name)
		}
		k, err := typeNamed(strings.TrimSpace(key))
		if err != nil {
			return k, err
		}
		v, err := typeNamed(strings.TrimSpace(value))
		return expr.MapType(k, v), err
	}
	t, err := parseTypeText(name)
	if err == nil && t.Kind == vector.Variant {
		err = fmt.Errorf("the type of a part is %s", t)
	}
	return t, err
}

// textLeaves is the type with VARCHAR in place of all that is not nested.
func textLeaves(t vector.Type) vector.Type {
	if !t.IsNested() {
		return define.TypeText
	}
	t.Fields = append([]vector.Field(nil), t.Fields...)
	for i := range t.Fields {
		t.Fields[i].Type = textLeaves(t.Fields[i].Type)
	}
	return t
}

// divide is the kernel that divides JSON values into the texts of the parts of a type.
func divide(t vector.Type, r rules) kernel.Func {
	parsed, leaves := &trees{}, textLeaves(t)
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		texts, all := kernel.OperandOf[string](args[0]), vector.New(leaves, 0)
		reserve(all, n)
		d := divider{rules: r, one: vector.NewConstant(vector.StringScalar(""), 1), watch: watch{meter: out.Meter}}
		for _, i := range kernel.Listed(rows, n) {
			if int(i) > all.Len {
				all.AppendNulls(int(i) - all.Len)
			}
			d.watch.indexes = nil // they are of the nodes of the row before
			value, err := parsed.parse(out.Meter, texts.At(i))
			if err != nil {
				return err
			}
			if err := out.Meter.Add(int64(len(texts.At(i)))); err != nil {
				return err
			}
			if err := d.add(all, &t, value); err != nil {
				return err
			}
			if all.IsNull(int(i)) {
				out.Null(int(i))
			}
		}
		all.AppendNulls(n - all.Len)
		out.Offsets, out.Children, out.Str = all.Offsets, all.Children, all.Str
		return nil
	}
}

// reserve makes memory for the texts of n rows that are no elements of lists.
func reserve(v *vector.Vector, n int) {
	switch {
	case v.Type.Kind == vector.Struct:
		for _, c := range v.Children {
			reserve(c, n)
		}
	case !v.Type.IsNested():
		v.Str = make([]string, 0, n)
	}
}

// divider appends JSON values to vectors whose leaves are texts.
type divider struct {
	rules
	one   *vector.Vector // a text that is appended
	watch watch
}

// valueWork is about how many bytes a value is as much work as.
const valueWork = 32

// bracketOf is how the JSON of values of a nested kind begins.
func bracketOf(k vector.Kind) byte {
	if k == vector.List {
		return '['
	}
	return '{'
}

func (d *divider) add(v *vector.Vector, t *vector.Type, value tree) error {
	if !d.watch.on(valueWork) {
		return d.watch.err
	}
	kind := t.Kind // of *t all would be copied
	switch {
	case value.kind() == 'n':
		v.AppendNulls(1)
		return nil
	case kind != vector.Struct && kind != vector.List && kind != vector.Map:
		return d.leaf(v, t, value)
	case value.kind() != bracketOf(kind):
		return d.mismatch(v, t, value)
	case kind == vector.List:
		for rest := value.within(); len(rest) > 0; {
			var item tree
			item, rest = rest.cut()
			if err := d.add(v.Children[0], &t.Fields[0].Type, item); err != nil {
				return err
			}
		}
	case kind == vector.Map:
		return d.entries(v, t, value)
	default:
		return d.fields(v, t, value)
	}
	v.EndRow()
	return nil
}

// fields appends a JSON object as a STRUCT.
func (d *divider) fields(v *vector.Vector, t *vector.Type, value tree) error {
	for i := range t.Fields {
		f := &t.Fields[i]
		item := d.watch.member(value, f.Name)
		if item == nil && d.strict {
			return fmt.Errorf("the JSON object has no key %q", f.Name)
		}
		if item == nil {
			v.Children[i].AppendNulls(1)
		} else if err := d.add(v.Children[i], &f.Type, item); err != nil {
			return err
		}
	}
	v.EndRow()
	return d.keys(t, value)
}

// keys refuses keys that come twice or are no fields.
func (d *divider) keys(t *vector.Type, value tree) error {
	if !d.strict && !d.sealed {
		return nil
	}
	for rest := value.within(); len(rest) > 0; {
		var item tree
		item, rest = rest.cut()
		key := item[0].Name
		if d.strict && d.twice(value, item) {
			return fmt.Errorf("the JSON object has the key %q twice", key)
		}
		if d.sealed && !hasField(t.Fields, key) {
			return fmt.Errorf("the JSON object has the key %q, which %s does not have", key, t)
		}
	}
	return d.watch.err
}

// hasField reports whether a field has the name.
func hasField(fields []vector.Field, name string) bool {
	for i := range fields {
		if fields[i].Name == name {
			return true
		}
	}
	return false
}

// twice reports whether the key of a member came before.
func (d *divider) twice(value, item tree) bool {
	first := d.watch.member(value, item[0].Name)
	return first != nil && &first[0] != &item[0]
}

// entries appends a JSON object as a MAP.
func (d *divider) entries(v *vector.Vector, t *vector.Type, value tree) error {
	for rest := value.within(); len(rest) > 0; {
		var item tree
		item, rest = rest.cut()
		key := item[0].Name
		if d.twice(value, item) {
			return fmt.Errorf("the JSON object has the key %q twice, which a MAP cannot have", key)
		}
		if err := d.text(v.Children[0], key); err != nil {
			return err
		}
		if err := d.add(v.Children[1], &t.Fields[1].Type, item); err != nil {
			return err
		}
	}
	v.EndRow()
	return d.watch.err
}

// mismatch is a value that is not what the type wants: NULL, and a STRUCT of NULLs as in
// DuckDB.
func (d *divider) mismatch(v *vector.Vector, t *vector.Type, value tree) error {
	if d.strict {
		return fmt.Errorf("the JSON value is no %s: %.100s", t, value.append(nil, nil))
	}
	if t.Kind != vector.Struct {
		v.AppendNulls(1)
		return nil
	}
	for _, c := range v.Children {
		c.AppendNulls(1)
	}
	v.EndRow()
	return nil
}

// leaf appends the text of which a cast makes the value.
func (d *divider) leaf(v *vector.Vector, t *vector.Type, value tree) error {
	text := value.text()
	switch kind := value.kind(); {
	case t.Kind == vector.JSON:
		text = value.json(&d.watch)
	case kind == '0' && t.IsInteger():
		text = kernel.WholeNumber(text)
	case kind == '"', kind == '0':
	case t.IsText():
		text = value.json(&d.watch)
	case kind == '{' || kind == '[':
		return d.mismatch(v, t, value)
	case t.IsNumeric() && kind == 't':
		text = "1"
	case t.IsNumeric():
		text = "0"
	}
	return d.text(v, text)
}

// text appends a text.
func (d *divider) text(v *vector.Vector, s string) error {
	if v.Valid == nil {
		v.Str, v.Len = append(v.Str, s), v.Len+1
		return nil
	}
	d.one.Str[0] = s
	return v.Append(d.one, nil)
}
