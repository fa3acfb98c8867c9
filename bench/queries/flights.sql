-- date TIMESTAMP, delay BIGINT (minutes), distance BIGINT (miles), origin and destination VARCHAR (airport codes)
SELECT COUNT(*) FROM flights;
SELECT MIN(date), MAX(date), MIN(delay), MAX(delay) FROM flights;
SELECT origin, COUNT(*) AS n, AVG(delay) AS mean FROM flights GROUP BY origin ORDER BY n DESC LIMIT 20;
SELECT origin, destination, COUNT(*) AS n, SUM(distance) FROM flights GROUP BY origin, destination ORDER BY n DESC LIMIT 20;
SELECT COUNT(DISTINCT origin), COUNT(DISTINCT destination), COUNT(DISTINCT delay) FROM flights;
SELECT MONTH(date) AS m, COUNT(*), AVG(delay), MAX(distance) FROM flights GROUP BY m ORDER BY m;
SELECT DATE_TRUNC('day', date) AS d, COUNT(*) AS n FROM flights WHERE origin = 'SEA' GROUP BY d ORDER BY n DESC LIMIT 10;
SELECT * FROM flights WHERE delay > 1000 ORDER BY delay DESC, date, origin, destination, distance;
SELECT destination, AVG(delay) AS mean FROM flights WHERE distance BETWEEN 500 AND 1000 AND destination LIKE 'S%' GROUP BY destination HAVING COUNT(*) > 100 ORDER BY mean DESC;
SELECT date, origin, destination FROM flights WHERE date >= TIMESTAMP '2001-03-01' AND date < TIMESTAMP '2001-03-01 02:00:00' ORDER BY date, origin, destination LIMIT 50;
SELECT CASE WHEN delay <= 0 THEN 'on time' WHEN delay < 60 THEN 'late' ELSE 'very late' END AS class, COUNT(*) AS n FROM flights GROUP BY class ORDER BY n;
SELECT EXTRACT(HOUR FROM date) AS h, SUM(delay) FROM flights WHERE origin IN ('LAX', 'SFO', 'JFK') GROUP BY h ORDER BY h;
SELECT DISTINCT origin FROM flights WHERE distance > 2500 ORDER BY origin;
SELECT COUNT(*) FROM flights WHERE origin = destination OR delay IS NULL;
SELECT UPPER(SUBSTRING(origin, 1, 1)) AS letter, COUNT(*) AS n FROM flights GROUP BY letter HAVING COUNT(*) > 1000 ORDER BY letter;
