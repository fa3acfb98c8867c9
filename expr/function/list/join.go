package list

import (
	"math"

	"github.com/parquetsql/parquetsql/expr/internal/kernel"
	"github.com/parquetsql/parquetsql/vector"
)

// A part is what each row of a joined LIST takes of an argument: its LIST, or itself as an element.
type part struct {
	v       *vector.Vector
	element bool
}

// join makes LISTs of numbers out of parts, one after the other; NULL LISTs are empty. It is false where the
// elements do not lie beside each other, or may be NULL: then nothing is done.
func join(parts []part, rows []int32, n int, out *kernel.Result) (done bool, err error) {
	switch out.Type.Fields[0].Type.Storage() {
	case vector.StoreInt64:
		return joinOf[int64](parts, rows, n, out)
	case vector.StoreFloat64:
		return joinOf[float64](parts, rows, n, out)
	}
	return false, nil
}

func joinOf[T vector.Value](parts []part, rows []int32, n int, out *kernel.Result) (done bool, err error) {
	lists, values := make([]kernel.Lists, len(parts)), make([][]T, len(parts))
	for k, p := range parts {
		elements := p.v
		if !p.element {
			lists[k] = kernel.ListsOf(p.v)
			elements = lists[k].Elements
		}
		plain := elements.Form == vector.Flat && elements.Valid == nil
		if p.element && elements.Form == vector.Constant {
			plain = !elements.IsNull(0)
		}
		if !plain {
			return false, nil
		}
		values[k] = *vector.Slice[T](elements)
	}
	listed, total := kernel.Listed(rows, n), int64(0)
	for _, i := range listed {
		for k, p := range parts {
			switch {
			case p.element:
				total++
			case !p.v.IsNull(int(i)):
				total += int64(lists[k].At(i).Len())
			}
		}
	}
	if total > math.MaxInt32 {
		return false, nil
	}
	if err := out.Meter.Elements(total); err != nil {
		return false, err
	}
	child, offsets, next, looked := vector.New(out.Type.Fields[0].Type, int(total)), make([]int32, out.Len+1), 0, 0
	to := (*vector.Slice[T](child))[:0]
	for _, i := range listed {
		for ; next <= int(i); next++ {
			offsets[next] = int32(len(to))
		}
		for k, p := range parts {
			switch {
			case p.element && p.v.Form == vector.Constant:
				to = append(to, values[k][0])
			case p.element:
				to = append(to, values[k][i])
			case !p.v.IsNull(int(i)):
				r := lists[k].At(i)
				to = append(to, values[k][r.From:r.To]...)
			}
		}
		if len(to)-looked > elementsPerLook {
			if err := out.Meter.Work(8 * (len(to) - looked)); err != nil {
				return false, err
			}
			looked = len(to)
		}
	}
	for ; next <= out.Len; next++ {
		offsets[next] = int32(len(to))
	}
	out.Offsets, out.Children[0] = offsets, child
	return true, nil
}
