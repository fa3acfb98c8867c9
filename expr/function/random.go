package function

import (
	"crypto/rand"
	"encoding/binary"
	mathrand "math/rand/v2"
	"time"

	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// randomFunctions have another value in each row. There is no seed, because a query has no
// session that could keep it.
var randomFunctions = []expr.Function{
	{Name: "RANDOM", Help: "a random number from 0 to 1, without 1", Example: "RANDOM()", Total: true, NotNull: true, Volatile: true,
		Binding: drawn(define.TypeDouble, func(out *vector.Vector, i int32) { out.F64[i] = mathrand.Float64() })},
	{Name: "UUID", Aliases: []string{"GEN_RANDOM_UUID", "UUIDV4"}, Help: "a random UUID of version 4", Example: "UUID()", Total: true, NotNull: true, Volatile: true,
		Binding: drawn(typeUUID, func(out *vector.Vector, i int32) { out.Str[i] = randomUUID(4) })},
	{Name: "UUIDV7", Help: "a UUID of version 7: of the time and random bits", Example: "UUIDV7()", Total: true, NotNull: true, Volatile: true,
		Binding: drawn(typeUUID, func(out *vector.Vector, i int32) { out.Str[i] = randomUUID(7) })},
}

var typeUUID = vector.Of(vector.UUID)

// randomUUID is a UUID as RFC 9562 has it, sections 5.4 and 5.7.
func randomUUID(version byte) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	if version == 7 {
		var now [8]byte
		binary.BigEndian.PutUint64(now[:], uint64(time.Now().UnixMilli()))
		copy(b[:6], now[2:])
	}
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	return string(b[:])
}

// drawn is a function without arguments that sets the value of each row.
func drawn(t vector.Type, set func(out *vector.Vector, i int32)) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewCall(call, args, t, &expr.Routine{Node: func(*expr.Compiler) kernel.Node { return &drawNode{typ: t, set: set} }}), nil
	}, "→ "+t.String())
}

type drawNode struct {
	typ vector.Type
	set func(out *vector.Vector, i int32)
	out kernel.Result
}

func (d *drawNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	d.out.Reset(d.typ, f.N)
	for _, i := range kernel.Listed(rows, f.N) {
		d.set(&d.out.Vector, i)
	}
	return &d.out.Vector, nil
}
