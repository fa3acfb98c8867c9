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
		Binding: drawnUUID(4)},
	{Name: "UUIDV7", Help: "a UUID of version 7: of the time and random bits", Example: "UUIDV7()", Total: true, NotNull: true, Volatile: true,
		Binding: drawnUUID(7)},
}

var typeUUID = vector.Of(vector.UUID)

// drawnUUID is a function of UUIDs as RFC 9562 has them, sections 5.4 and 5.7. Their bits are of
// a ChaCha8 generator for each use, with a seed of the system.
func drawnUUID(version byte) expr.Binding {
	return define.Custom(func(call expr.Callee, args []expr.Expr) (expr.Expr, error) {
		return expr.NewCall(call, args, typeUUID, &expr.Routine{Node: func(*expr.Compiler) kernel.Node { return &uuidNode{version: version} }}), nil
	}, "→ "+typeUUID.String())
}

type uuidNode struct {
	version byte
	random  *mathrand.ChaCha8
	bytes   []byte
	out     kernel.Result
}

func (u *uuidNode) Eval(f *kernel.Frame, rows []int32) (*vector.Vector, error) {
	if u.random == nil {
		var seed [32]byte
		_, _ = rand.Read(seed[:]) // never fails
		u.random = mathrand.NewChaCha8(seed)
	}
	const size = 16
	u.out.Reset(typeUUID, f.N)
	rows = kernel.Listed(rows, f.N)
	u.bytes = vector.Resize(u.bytes, size*len(rows))
	_, _ = u.random.Read(u.bytes) // never fails
	var now [8]byte
	binary.BigEndian.PutUint64(now[:], uint64(time.Now().UnixMilli()))
	for k := range rows {
		b := u.bytes[size*k : size*k+size]
		if u.version == 7 {
			copy(b[:6], now[2:])
		}
		b[6] = b[6]&0x0f | u.version<<4
		b[8] = b[8]&0x3f | 0x80
	}
	all := string(u.bytes)
	for k, i := range rows {
		u.out.Str[i] = all[size*k : size*k+size]
	}
	return &u.out.Vector, nil
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
