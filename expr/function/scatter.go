package function

import (
	"github.com/parquetsql/parquetsql/expr"
	"github.com/parquetsql/parquetsql/expr/function/define"
	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// scatter gives each whole number another one that looks random; the second argument is the seed.
// Statements cannot call it: samples are made of it.
var scatter = expr.Function{Name: "SCATTER", Total: true, NotNull: true, Binding: define.Fixed(define.TypeInt, scattered, false, define.WantInt, define.WantInt)}

// Scattered is a BIGINT for each value of number, a BIGINT: all 64 bits look random, and for one
// seed no two numbers have the same.
func Scattered(number expr.Expr, seed uint64) (expr.Expr, error) {
	return scatter.Call(scatter.Name, []expr.Expr{number, expr.NewConst(vector.IntScalar(int64(seed)))})
}

func scattered() kernel.Func {
	return func(args []*vector.Vector, rows []int32, n int, out *kernel.Result) error {
		a, seed, r := kernel.OperandOf[int64](args[0]), kernel.OperandOf[int64](args[1]), out.I64
		if rows == nil && seed.Constant() && !a.Constant() {
			salt := mixed(uint64(seed.V[0]))
			r = r[:n]
			for i, v := range a.V[:n] {
				r[i] = int64(mixed(uint64(v) + salt))
			}
			return nil
		}
		for _, i := range kernel.Listed(rows, n) {
			r[i] = int64(mixed(uint64(a.At(i)) + mixed(uint64(seed.At(i)))))
		}
		return nil
	}
}

// mixed is the output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
// number generators, 2014): each bit of the result depends on all of the argument, and no two
// arguments have one result.
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
