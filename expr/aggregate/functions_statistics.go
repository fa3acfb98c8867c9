package aggregate

import (
	"github.com/parquetsql/parquetsql/expr"
)

// quantileFunctions need all values at once.
var quantileFunctions = []Function{
	{Name: "MEDIAN", Help: "the value in the middle; of numbers, dates and times the mean of two values in the middle", Example: "MEDIAN(x) FROM (VALUES (1), (2), (9)) t(x) → 2.0",
		Signatures: expr.NewSignatures("integer | DOUBLE → DOUBLE", "FLOAT → FLOAT", "DECIMAL(p,s) → DECIMAL(p,s)", "DATE | TIMESTAMP → TIMESTAMP", "TIMESTAMPTZ → TIMESTAMPTZ", "TIME → TIME", "VARCHAR → VARCHAR", "INTERVAL → INTERVAL", "BOOLEAN → BOOLEAN"),
		bind:       bindMedian},
	{Name: "QUANTILE_CONT", Help: "the value that a fraction of the values does not exceed, interpolated; a list of fractions gives a list", Example: "QUANTILE_CONT(x, 0.25) FROM (VALUES (1), (2)) t(x) → 1.25",
		Signatures: expr.NewSignatures("integer | DOUBLE, DOUBLE literal → DOUBLE", "FLOAT, DOUBLE literal → FLOAT", "DECIMAL(p,s), DOUBLE literal → DECIMAL(p,s)", "DATE | TIMESTAMP, DOUBLE literal → TIMESTAMP", "TIMESTAMPTZ, DOUBLE literal → TIMESTAMPTZ", "TIME, DOUBLE literal → TIME"),
		bind:       bindContinuous},
	{Name: "QUANTILE_DISC", Aliases: []string{"QUANTILE"}, Help: "the first value that at least a fraction of the values does not exceed; a list of fractions gives a list", Example: "QUANTILE_DISC(x, 0.25) FROM (VALUES (1), (2)) t(x) → 1",
		Signatures: expr.NewSignatures("T, DOUBLE literal → T"), bind: bindDiscrete},
	{Name: "RESERVOIR_QUANTILE", Help: "as QUANTILE_DISC, of all values; the size of a sample is ignored", Example: "RESERVOIR_QUANTILE(x, 0.5) FROM (VALUES (1), (2), (9)) t(x) → 2",
		Signatures: expr.NewSignatures("T, DOUBLE literal → T", "T, DOUBLE literal, BIGINT literal → T"), bind: bindDiscrete},
	{Name: "APPROX_QUANTILE", Help: "about the value that a fraction of the values does not exceed, as a value of their type", Example: "APPROX_QUANTILE(x, 0.5) FROM (VALUES (1), (2), (9)) t(x) → 2",
		Signatures: expr.NewSignatures("integer, DOUBLE literal → integer", "FLOAT | DOUBLE, DOUBLE literal → DOUBLE", "DATE, DOUBLE literal → DATE", "TIMESTAMP, DOUBLE literal → TIMESTAMP"), bind: bindApproximate},
	{Name: "MAD", Help: "the median of the distances from the median", Example: "MAD(x) FROM (VALUES (1), (2), (9)) t(x) → 1.0",
		Signatures: expr.NewSignatures("integer | DOUBLE → DOUBLE", "FLOAT → FLOAT", "DECIMAL(p,s) → DECIMAL(p,s)", "DATE | TIMESTAMP | TIMESTAMPTZ | TIME → INTERVAL"), bind: bindDeviation},
	{Name: "MODE", Help: "the most frequent value", Example: "MODE(x) FROM (VALUES (1), (2), (2)) t(x) → 2",
		OrderMatters: true, Signatures: expr.NewSignatures("T → T"), bind: bindMode},
	{Name: "HISTOGRAM", Help: "a map from each value, or from the upper bound of each bin of a list, to the number of its rows", Example: "HISTOGRAM(x) FROM (VALUES ('a'), ('b'), ('a')) t(x) → {\"a\":2,\"b\":1}",
		Signatures: expr.NewSignatures("T → MAP(T, UBIGINT)", "T, ['bins'] → MAP(T, UBIGINT)"), bind: bindHistogram},
	{Name: "HISTOGRAM_EXACT", Help: "a map from each value of a list to the number of its rows; the greatest value of the type, or the empty text, stands for the others", Example: "HISTOGRAM_EXACT(x, ['a', 'b']) FROM (VALUES ('a'), ('c'), ('a')) t(x) → {\"a\":2,\"b\":0,\"\":1}",
		Signatures: expr.NewSignatures("T, ['bins'] → MAP(T, UBIGINT)"), bind: func(a *Call) error { return bindBins(a, true) }},
	{Name: "ENTROPY", Help: "the entropy of the values, in bits", Example: "ENTROPY(x) FROM (VALUES (1), (2), (1), (2)) t(x) → 1.0",
		ZeroOnEmpty: true, Signatures: expr.NewSignatures("T → DOUBLE"), bind: bindEntropy},
	{Name: "APPROX_TOP_K", Help: "a list of the k most frequent values", Example: "APPROX_TOP_K(x, 1) FROM (VALUES (1), (2), (2)) t(x) → [2]",
		OrderMatters: true, Signatures: expr.NewSignatures("T, BIGINT literal → LIST(T)"), bind: bindTopK},
	{Name: "ARG_MIN", Aliases: []string{"ARGMIN", "MIN_BY"}, Help: "the first argument in the row with the least second one, or a list of the n rows with the least", Example: "ARG_MIN(x, y) FROM (VALUES ('a', 2), ('b', 1)) t(x, y) → b",
		OrderMatters: true, Signatures: expr.NewSignatures("T, K → T", "T, K, BIGINT literal → LIST(T)"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: -1}) }},
	{Name: "ARG_MAX", Aliases: []string{"ARGMAX", "MAX_BY"}, Help: "the first argument in the row with the greatest second one, or a list of the n rows with the greatest", Example: "ARG_MAX(x, y) FROM (VALUES ('a', 2), ('b', 1)) t(x, y) → a",
		OrderMatters: true, Signatures: expr.NewSignatures("T, K → T", "T, K, BIGINT literal → LIST(T)"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: 1}) }},
	{Name: "ARG_MIN_NULL", Help: "as ARG_MIN, also if the first argument is NULL in that row", Example: "ARG_MIN_NULL(x, y) FROM (VALUES ('a', 2), (NULL, 1)) t(x, y) → NULL",
		OrderMatters: true, KeepsNulls: true, Signatures: expr.NewSignatures("T, K → T"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: -1, nulls: true}) }},
	{Name: "ARG_MAX_NULL", Help: "as ARG_MAX, also if the first argument is NULL in that row", Example: "ARG_MAX_NULL(x, y) FROM (VALUES (NULL, 2), ('b', 1)) t(x, y) → NULL",
		OrderMatters: true, KeepsNulls: true, Signatures: expr.NewSignatures("T, K → T"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: 1, nulls: true}) }},
	{Name: "ARG_MIN_NULLS_LAST", Help: "as ARG_MIN_NULL, but rows whose second argument is NULL come after the others", Example: "ARG_MIN_NULLS_LAST(x, y) FROM (VALUES ('a', 2), ('b', NULL)) t(x, y) → a",
		OrderMatters: true, KeepsNulls: true, Signatures: expr.NewSignatures("T, K → T"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: -1, nulls: true, last: true}) }},
	{Name: "ARG_MAX_NULLS_LAST", Help: "as ARG_MAX_NULL, but rows whose second argument is NULL come after the others", Example: "ARG_MAX_NULLS_LAST(x, y) FROM (VALUES ('a', 2), ('b', NULL)) t(x, y) → a",
		OrderMatters: true, KeepsNulls: true, Signatures: expr.NewSignatures("T, K → T"), bind: func(a *Call) error { return bindArgument(a, argumentState{sign: 1, nulls: true, last: true}) }},
}

// statisticFunctions are over doubles.
var statisticFunctions = []Function{
	number("SEM", "the standard error of the mean", "SEM(x) FROM (VALUES (1), (3)) t(x) → 0.7071067811865475", func(a *Call) error { return bindMoment(a, momentState{root: true, error: true}) }),
	number("SKEWNESS", "the skewness of a sample", "SKEWNESS(x) FROM (VALUES (1), (2), (3)) t(x) → 0.0", bindPowers(skewness, skewnessInRange)),
	number("KURTOSIS", "the excess kurtosis of a sample", "ROUND(KURTOSIS(x), 3) FROM (VALUES (1), (2), (3), (4)) t(x) → -1.2", bindPowers(kurtosisSample, kurtosisSampleInRange)),
	number("KURTOSIS_POP", "the excess kurtosis of a population", "KURTOSIS_POP(x) FROM (VALUES (1), (2)) t(x) → -2.0", bindPowers(kurtosis, kurtosisInRange)),
	number("PRODUCT", "the product", "PRODUCT(x) FROM (VALUES (2), (3)) t(x) → 6.0", bindProduct),
	number("GEOMEAN", "the geometric mean", "GEOMEAN(x) FROM (VALUES (1), (1)) t(x) → 1.0", bindGeometricMean, "GEOMETRIC_MEAN"),
	number("FSUM", "the sum of doubles, with less rounding error", "FSUM(x) FROM (VALUES (1), (2)) t(x) → 3.0", bindFloatSum(sumPart), "SUMKAHAN", "KAHAN_SUM"),
	number("FAVG", "the mean of doubles, with less rounding error", "FAVG(x) FROM (VALUES (1), (2)) t(x) → 1.5", bindFloatSum(meanPart)),
	{Name: "WEIGHTED_AVG", Aliases: []string{"WAVG"}, Help: "the mean of the first argument, in which each row counts as much as the second says", Example: "WEIGHTED_AVG(x, w) FROM (VALUES (1, 1), (4, 2)) t(x, w) → 3.0",
		Combines: true, Signatures: expr.NewSignatures("number, number → DOUBLE"), bind: bindWeighted},
	pair("CORR", "the correlation of two variables", "CORR(y, x) FROM (VALUES (1, 1), (2, 2)) t(y, x) → 1.0", correlation, pairsInRange),
	pair("COVAR_POP", "the covariance of a population", "COVAR_POP(y, x) FROM (VALUES (1, 1), (3, 3)) t(y, x) → 1.0", covariancePop, nil),
	pair("COVAR_SAMP", "the covariance of a sample", "COVAR_SAMP(y, x) FROM (VALUES (1, 1), (3, 3)) t(y, x) → 2.0", covarianceSample, nil),
	pair("REGR_AVGX", "the mean of x in rows without NULL", "REGR_AVGX(y, x) FROM (VALUES (1, 2), (NULL, 4)) t(y, x) → 2.0", regressionAvgX, nil),
	pair("REGR_AVGY", "the mean of y in rows without NULL", "REGR_AVGY(y, x) FROM (VALUES (1, 2), (3, NULL)) t(y, x) → 1.0", regressionAvgY, nil),
	pair("REGR_SLOPE", "the slope of the line through the points", "REGR_SLOPE(y, x) FROM (VALUES (1, 1), (5, 3)) t(y, x) → 2.0", regressionSlope, xInRange),
	pair("REGR_INTERCEPT", "the y of the line through the points where x is 0", "REGR_INTERCEPT(y, x) FROM (VALUES (1, 1), (5, 3)) t(y, x) → -1.0", regressionIntercept, xInRange),
	pair("REGR_R2", "the square of the correlation", "REGR_R2(y, x) FROM (VALUES (1, 1), (1, 3)) t(y, x) → 1.0", regressionR2, r2InRange),
	pair("REGR_SXX", "the sum of squared distances of x from its mean", "REGR_SXX(y, x) FROM (VALUES (1, 1), (5, 3)) t(y, x) → 2.0", regressionSXX, xInRange),
	pair("REGR_SXY", "the sum of products of the distances from the means", "REGR_SXY(y, x) FROM (VALUES (1, 1), (5, 3)) t(y, x) → 4.0", regressionSXY, nil),
	pair("REGR_SYY", "the sum of squared distances of y from its mean", "REGR_SYY(y, x) FROM (VALUES (1, 1), (5, 3)) t(y, x) → 8.0", regressionSYY, yInRange),
	{Name: "REGR_COUNT", Help: "the number of rows without NULL", Example: "REGR_COUNT(y, x) FROM (VALUES (1, 2), (3, NULL)) t(y, x) → 1",
		Combines: true, ZeroOnEmpty: true, Signatures: expr.NewSignatures("number, number → BIGINT"), bind: bindPairCount},
}

// number describes a function of numbers whose result is DOUBLE.
func number(name, help, example string, bind func(*Call) error, aliases ...string) Function {
	return Function{Name: name, Aliases: aliases, Help: help, Example: example, Combines: true, Signatures: expr.NewSignatures("number → DOUBLE"), bind: bind}
}

// pair describes a function of two numbers.
func pair(name, help, example string, result func(*pairs) (float64, bool), inRange func(*pairs) bool) Function {
	return Function{Name: name, Help: help, Example: example, Combines: true, Signatures: expr.NewSignatures("number, number → DOUBLE"), bind: bindPair(result, inRange)}
}
