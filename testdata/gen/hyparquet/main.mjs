// Writes files whose leaves have no repetition_type, and whose maxima of texts are cut short:
//
//	npm install hyparquet-writer@0.6.1 && node main.mjs ../../files/hyparquet
//
// rowsOfHyparquet in ../scripts.go has the same rows.
import fs from 'fs';
import path from 'path';
import { parquetWriteBuffer } from 'hyparquet-writer';

const rows = [...Array(200).keys()];
const data = parquetWriteBuffer({
  columnData: [
    { name: 'id', data: rows.map((i) => BigInt(i)), type: 'INT64', nullable: false },
    { name: 'name', data: rows.map((i) => (i % 5 ? 'row ' + i : undefined)), type: 'STRING', nullable: true },
    { name: 'text', data: rows.map((i) => 'all texts begin with these words, then ' + i), type: 'STRING', nullable: false },
    { name: 'x', data: rows.map((i) => i / 4), type: 'DOUBLE', nullable: false },
  ],
  rowGroupSize: 50,
});
fs.writeFileSync(path.join(process.argv[2], 'v0.6.1.parquet'), Buffer.from(data));
