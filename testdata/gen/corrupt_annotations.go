package main

import "strings"

// rareAnnotations have logical types with parameters that the specification does not foresee.
func rareAnnotations() map[string]rare {
	out := map[string]rare{}
	out["decimal_huge_scale"] = hugeScales()
	return out
}

// decimal is the annotation DECIMAL(precision, scale).
func decimal(precision, scale int32) field {
	return logical(5, field{1, scale}, field{2, precision})
}

// hugeScales are decimals nearly all of whose digits are zeros that the file does not have.
// CockroachDB writes precision and scale 2147483647 for a DECIMAL without them.
func hugeScales() rare {
	unscaled := []string{"825110576", "5", "-12", "0"}
	var data []byte
	for _, u := range unscaled {
		data = append(data, prefixed(twosComplement(u, 0))...)
	}
	most := int32(1<<31 - 1)
	mad := one("d", "DECIMAL", typeBytes, v1(4, plain, data),
		anys("8.25110576E-2147483639", "5E-2147483647", "-1.2E-2147483646", "0E-2147483647"), decimal(most, most))
	mad.meta = []field{{12, bounds(twosComplement("-12", 0), twosComplement("825110576", 0), field{7, true}, field{8, true})}}
	return build(
		one("id", "INTEGER", typeInt32, v1(4, plain, plainInt32(1, 2, 3, 4)), anys(1, 2, 3, 4)), mad,
		one("whole", "DECIMAL", typeBytes, v1(4, plain, data), anys("825110576", "5", "-12", "0"), decimal(most, 0)),
		one("exponent", "DECIMAL", typeInt64, v1(4, plain, plainInt64(825110576, 5, -12, 0)), anys("8.25110576E-4089", "5E-4097", "-1.2E-4096", "0E-4097"), decimal(5000, 4097)),
		one("digits", "DECIMAL", typeFixed, v1(4, plain, []byte{1, 0, 0, 5, 0xff, 0xf4, 0, 0}),
			anys("0."+strings.Repeat("0", 4093)+"256", "0."+strings.Repeat("0", 4095)+"5", "-0."+strings.Repeat("0", 4094)+"12", "0."+strings.Repeat("0", 4096)), decimal(4096, 4096), field{2, int32(2)}),
	)
}
