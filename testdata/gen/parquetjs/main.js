// Writes files with pages of version 2 whose num_rows is wrong, and offset indexes
// without rows:
//
//	npm install @dsnp/parquetjs@1.8.8 parquetjs-lite@0.8.7 && node main.js ../../files/parquetjs
//
// rowsOfParquetjs in ../scripts.go has the same rows.
const path = require('path');

async function write(module, file) {
  const parquet = require(module);
  const schema = new parquet.ParquetSchema({
    id: { type: 'INT64' },
    name: { type: 'UTF8', optional: true },
    tags: { type: 'UTF8', repeated: true },
    items: { repeated: true, fields: { n: { type: 'INT32' }, x: { type: 'DOUBLE', optional: true } } },
  });
  const w = await parquet.ParquetWriter.openFile(schema, file, { useDataPageV2: true, pageSize: 12, rowGroupSize: 40 });
  w.setRowGroupSize(40);
  for (let i = 0; i < 100; i++) {
    const tags = [], items = [];
    for (let k = 0; k < i % 4; k++) tags.push('t' + (i + k));
    for (let k = 0; k < (i * 7) % 3; k++) items.push(k % 2 ? { n: i * 10 + k } : { n: i * 10 + k, x: i / 4 });
    const row = { id: i, tags, items };
    if (i % 5) row.name = 'row ' + i;
    await w.appendRow(row);
  }
  await w.close();
}

(async () => {
  await write('@dsnp/parquetjs', path.join(process.argv[2], 'dsnp_v2.parquet'));
  await write('parquetjs-lite', path.join(process.argv[2], 'lite_v2.parquet'));
})();
