// Asks what programs with node-postgres ask, and prints an answer in each line.
const { Client } = require('pg');
(async () => {
  const [host, port] = process.argv[2].split(':');
  const c = new Client({ host, port, user: 'me', database: 'sales' });
  await c.connect();
  let r = await c.query('SELECT Species, COUNT(*) AS n FROM penguins WHERE Island = $1 AND "Body Mass (g)" > $2 GROUP BY 1 ORDER BY 1', ['Dream', 0]);
  console.log('rows:', JSON.stringify(r.rows));
  r = await c.query("SELECT 1::int AS a, 2.5::decimal(4,1) AS b, true AS c, TIMESTAMPTZ '2020-01-02 03:04:05+00' AS d, [1,2] AS e, {'x': 1} AS f, INTERVAL '1 day' AS g, $1::timestamptz AS h, $2::text[] AS i",
    [new Date(0), ['a', 'b c']]);
  console.log('types:', JSON.stringify(r.rows[0]));
  try { await c.query('SELECT nix'); } catch (e) { console.log('error:', e.code, e.position); }
  await c.end();
})();
