package vector

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// lease is of a dictionary.
type lease struct{ kept bool }

func (l *lease) Keep() { l.kept = true }

// lend moves the strings of v, and those within it, to memory that the function writes over.
func lend(v *Vector) (overwrite func()) {
	var parts []func()
	if v.Dict != nil {
		parts = append(parts, lend(v.Dict))
	}
	for _, c := range v.Children {
		parts = append(parts, lend(c))
	}
	for i, s := range v.Str {
		b := []byte(s)
		v.Str[i] = unsafe.String(unsafe.SliceData(b), len(b))
		parts = append(parts, func() {
			for i := range b {
				b[i] = '#'
			}
		})
	}
	return func() {
		for _, f := range parts {
			f()
		}
	}
}

// someRows are rows of a batch as a selection has them; nil now and then.
func someRows(r *rand.Rand, n int) (rows []int32) {
	if r.IntN(3) == 0 {
		return nil
	}
	rows = []int32{}
	for i := range n {
		if r.IntN(3) == 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// TestOwn: what was made the caller's does not change with the memory of who lent it, whatever
// the type, the form, and the memory that it went to.
func TestOwn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, ty := range modelTypes() {
		memory := &Vector{}
		for range 60 {
			v, m := randomForm(r, ty, 1+r.IntN(20))
			over, into, rows := lend(v), memory, someRows(r, v.Len)
			if r.IntN(3) == 0 {
				into, rows = v, nil
			}
			if v.Form == Dictionary && r.IntN(3) == 0 {
				v.Dict.Lease, over = &lease{}, func() {}
			}
			out, bytes, err := v.Own(rows, 1<<20, into)
			over()
			if err != nil || out.Owner() == Lent {
				t.Fatalf("%v: %d, %v", ty, out.Owner(), err)
			}
			if rows == nil {
				rows = slices.Collect(func(yield func(int32) bool) {
					for i := 0; i < len(m) && yield(int32(i)); i++ {
					}
				})
			}
			total := int64(0)
			for _, row := range rows {
				total += texts(m[row])
				if got := read(out, int(row)); !reflect.DeepEqual(got, m[row]) {
					t.Fatalf("%v, row %d of form %d: %v, want %v", ty, row, v.Form, got, m[row])
				}
			}
			if v.Form == Flat && ty.Storage() == StoreString && int64(bytes) != total {
				t.Errorf("%d bytes for %d", bytes, total)
			}
		}
	}
}

// TestOwnLimit: of texts that are too long nothing is copied, and of those that are the caller's
// already neither. Copies lie one after the other.
func TestOwnLimit(t *testing.T) {
	v := New(Of(Varchar), 4)
	copy(v.Str, []string{"one", "", "", "three"})
	if out, bytes, err := v.Own(nil, 7, nil); out != v || bytes != 8 || err != nil || v.Owner() != Lent {
		t.Errorf("%v, %d, %v", out, bytes, err)
	}
	out, bytes, err := v.Own(nil, 8, nil)
	if out == v || bytes != 8 || err != nil || out.Owner() != Owned || !slices.Equal(out.Str, v.Str) {
		t.Errorf("%v, %d, %v", out, bytes, err)
	}
	if uintptr(unsafe.Pointer(unsafe.StringData(out.Str[3])))-uintptr(unsafe.Pointer(unsafe.StringData(out.Str[0]))) != 3 {
		t.Error("the copies do not lie together")
	}
	if again, bytes, err := out.Own(nil, 0, nil); again != out || bytes != 0 || err != nil {
		t.Errorf("%v, %d, %v", again, bytes, err)
	}
	whole := strings.Repeat("page", 100)
	none := New(Of(Varchar), 1)
	none.Str[0] = whole[:0]
	if out, _, _ := none.Own(nil, 0, none); unsafe.StringData(out.Str[0]) == unsafe.StringData(whole) {
		t.Error("an empty text keeps what it pointed to")
	}
}

// TestOwner: what is made of vectors has the least of their owners; what was made the
// caller's on the way has not, and NULLs have none.
func TestOwner(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, ty := range modelTypes() {
		for range 40 {
			sources, levels, least := make([]*Vector, 2+r.IntN(2)), []Texts{}, Owned
			for i := range sources {
				sources[i], _ = randomForm(r, ty, 5)
				level := Texts(r.IntN(3))
				sources[i].Raise(level)
				levels, least = append(levels, level), min(least, level)
			}
			var all, owned, picked, gathered, slice Vector
			all.Reset(ty, 0)
			owned.Reset(ty, 0)
			var picks []Pick
			for i, s := range sources {
				if err := all.Append(s, nil); err != nil {
					t.Fatal(err)
				}
				if err := owned.AppendOwned(s, nil, cloneAll); err != nil {
					t.Fatal(err)
				}
				for row := range 5 {
					picks = append(picks, Pick{int32(i), int32(row)})
				}
			}
			if err := picked.Pick(ty, sources, picks); err != nil {
				t.Fatal(err)
			}
			if err := gathered.Gather(sources[0], nil); err != nil {
				t.Fatal(err)
			}
			slice.Slice(sources[0], 1, 3)
			if got := all.Owner(); got < least {
				t.Errorf("%v: Append: %d of %d", ty, got, least)
			}
			if got := picked.Owner(); got < least {
				t.Errorf("%v: Pick: %d of %d", ty, got, least)
			}
			if got := gathered.Owner(); got < levels[0] || slice.Owner() < levels[0] {
				t.Errorf("%v: Gather: %d and %d of %d", ty, got, slice.Owner(), levels[0])
			}
			if owned.Owner() == Lent {
				t.Errorf("%v: lent after AppendOwned", ty)
			}
			if weakest := slices.MinFunc(sources, func(a, b *Vector) int { return int(a.Owner()) - int(b.Owner()) }).Owner(); ty.Storage() == StoreString {
				if all.Owner() > weakest || picked.Owner() > weakest || gathered.Owner() > sources[0].Owner() {
					t.Errorf("%v: texts of %d are %d and %d", ty, weakest, all.Owner(), picked.Owner())
				}
			}
		}
	}
	nulls := New(Of(Varchar), 0)
	nulls.AppendNulls(3)
	if nulls.Owner() != Owned || NewConstant(NullOf(Of(Varchar)), 3).Owner() != Owned {
		t.Error("NULLs are lent")
	}
}

// TestGetCopies: a scalar of lent texts may be kept.
func TestGetCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, ty := range modelTypes() {
		for range 20 {
			v, m := randomForm(r, ty, 5)
			over, row := lend(v), r.IntN(5)
			got := v.Get(row)
			if over(); !reflect.DeepEqual(read(NewConstant(got, 1), 0), m[row]) {
				t.Errorf("%v: %v, want %v", ty, got, m[row])
			}
		}
	}
}
