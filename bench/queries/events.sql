-- Events as services log them: 60 files in the order of time (see package logs). Filters and counts.
SELECT COUNT(*) FROM events;
SELECT COUNT(*), SUM(bytes), AVG(latency) FROM events WHERE status >= 500;
SELECT COUNT(*) FROM events WHERE kind = 'failure' AND latency > 50;
SELECT COUNT(*), MAX(latency) FROM events WHERE ts >= TIMESTAMP '2025-01-20 00:00:00' AND ts < TIMESTAMP '2025-01-21 00:00:00';
SELECT COUNT(*), AVG(bytes) FROM events WHERE service IN ('service-03', 'service-17', 'service-31') AND status <> 200;
SELECT COUNT(error), COUNT(DISTINCT error) FROM events WHERE error IS NOT NULL;
SELECT SUM(cost), MIN(cost), MAX(cost) FROM events WHERE cost BETWEEN 10 AND 20;
-- Points.
SELECT id, ts, trace, kind, service, status, latency, bytes, cost, client.country, client.place.city, message, error FROM events WHERE id = 1234567;
SELECT id, ts, service FROM events WHERE trace = 'd7c523bac9b6e37f';
SELECT COUNT(*) FROM events WHERE trace = 'nothing has this';
SELECT id, latency FROM events WHERE session = 5262666508639861117 ORDER BY id;
SELECT id, message FROM events WHERE id BETWEEN 700000 AND 700020 ORDER BY id;
SELECT COUNT(*) FROM events WHERE id IN (17, 40000, 999999, 1999999);
-- The first and the last.
SELECT id, ts, kind FROM events ORDER BY ts DESC LIMIT 10;
SELECT id, latency FROM events ORDER BY latency DESC LIMIT 10;
SELECT id, service, latency, message FROM events WHERE status = 503 ORDER BY latency DESC, id LIMIT 20;
SELECT id, ts, trace, session, kind, service, status, latency, bytes, cost, client.country, client.place.city, message, error FROM events ORDER BY bytes DESC, id LIMIT 5;
SELECT id, trace FROM events ORDER BY trace LIMIT 10;
-- Fields of structs.
SELECT client.country, COUNT(*) AS n, AVG(client.age) FROM events GROUP BY client.country ORDER BY n DESC;
SELECT COUNT(*), AVG(client.place.x) FROM events WHERE client.place.city = 'Dakar';
SELECT client.agent, client.place.city, COUNT(*) AS n FROM events WHERE client.age < 30 GROUP BY client.agent, client.place.city ORDER BY n DESC, 1, 2 LIMIT 10;
SELECT id, client.place.x, client.place.y FROM events WHERE client.place.x BETWEEN 10 AND 11 AND client.place.y BETWEEN 50 AND 51 ORDER BY id LIMIT 50;
-- Lists and maps.
SELECT COUNT(*), SUM(i.quantity) FROM events, UNNEST(items) AS u(i);
SELECT i.product, SUM(i.quantity * i.price) AS total FROM events, UNNEST(items) AS u(i) GROUP BY i.product ORDER BY total DESC LIMIT 10;
SELECT t, COUNT(*) AS n FROM events, UNNEST(tags) AS u(t) GROUP BY t ORDER BY n DESC;
SELECT COUNT(*) FROM events WHERE list_contains(tags, 'audit');
SELECT service, COUNT(*) AS n FROM events, UNNEST(items) AS u(i) WHERE i.price > 9990 GROUP BY service ORDER BY n DESC, service;
SELECT AVG(len(items)), MAX(len(tags)) FROM events;
SELECT labels['zone'] AS zone, COUNT(*) AS n FROM events GROUP BY zone ORDER BY n DESC, zone LIMIT 10;
-- Texts.
SELECT COUNT(*) FROM events WHERE message LIKE '%deadlock%';
SELECT COUNT(*) FROM events WHERE message LIKE '%cache%miss%';
SELECT id, message FROM events WHERE message LIKE 'queue drained%' ORDER BY id LIMIT 10;
SELECT COUNT(*) FROM events WHERE lower(message) LIKE '%number 77%';
SELECT COUNT(*) FROM events WHERE regexp_matches(message, 'in 9[0-9]+ us');
SELECT MAX(length(message)), SUM(strlen(trace)) FROM events;
-- Groups.
SELECT service, status, COUNT(*) AS n, AVG(latency), MAX(bytes) FROM events GROUP BY service, status ORDER BY n DESC, service, status LIMIT 20;
SELECT session, COUNT(*) AS n, SUM(bytes) FROM events GROUP BY session ORDER BY n DESC, session LIMIT 10;
SELECT client.id, SUM(cost) AS total FROM events GROUP BY client.id ORDER BY total DESC, 1 LIMIT 10;
SELECT COUNT(DISTINCT client.id), COUNT(DISTINCT session) FROM events;
SELECT kind, COUNT(DISTINCT session) FROM events GROUP BY kind ORDER BY kind;
SELECT MIN(ts), MAX(ts), MIN(id), MAX(id) FROM events;
SELECT MIN(trace), MAX(latency), MIN(service) FROM events;
-- Time buckets.
SELECT date_trunc('hour', ts) AS hour, COUNT(*), AVG(latency) FROM events GROUP BY hour ORDER BY hour;
SELECT time_bucket(INTERVAL '15 minutes', ts) AS quarter, SUM(bytes) FROM events WHERE ts >= TIMESTAMP '2025-02-01 00:00:00' AND ts < TIMESTAMP '2025-02-03 00:00:00' GROUP BY quarter ORDER BY quarter;
-- Joins.
SELECT s.team, s.tier, COUNT(*) AS n, SUM(e.cost) FROM events e JOIN services s ON e.service = s.name GROUP BY s.team, s.tier ORDER BY s.team, s.tier;
SELECT a.segment, COUNT(*) AS n, AVG(e.latency) FROM events e JOIN accounts a ON e.client.id = a.id GROUP BY a.segment ORDER BY a.segment;
SELECT a.name, COUNT(*) AS n FROM events e JOIN accounts a ON e.client.id = a.id WHERE a.since >= TIMESTAMP '2025-02-20 00:00:00' GROUP BY a.name ORDER BY n DESC, a.name LIMIT 10;
