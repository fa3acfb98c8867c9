-- Queries over testdata whose floating-point sums depend on the order of the rows, compared with rounding. All others are in testdata/slt.
SELECT "Species" AS s, AVG("Beak Length (mm)") FROM penguins WHERE "Sex" = 'MALE' GROUP BY s HAVING COUNT(*) > 40 ORDER BY s;
SELECT MIN("Body Mass (g)" * 2), MAX(-"Body Mass (g)"), SUM("Beak Depth (mm)" * "Beak Length (mm)") FROM penguins WHERE "Species" <> 'Gentoo';
SELECT weather, COUNT(*) AS n, SUM(precipitation), MIN(date), MAX(date) FROM seattle_weather GROUP BY weather ORDER BY n DESC;
SELECT state, COUNT(*) AS n, AVG(latitude) FROM airports GROUP BY state HAVING COUNT(*) >= 100 ORDER BY n DESC, state;
SELECT "Major Genre", COUNT(*) AS n, AVG("IMDB Rating") AS rating FROM movies GROUP BY "Major Genre" ORDER BY rating DESC NULLS LAST;
