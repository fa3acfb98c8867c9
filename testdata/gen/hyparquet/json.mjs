// Writes a JSON column whose null_count counts values that are not NULL but the text "null":
//
//	npm install hyparquet-writer@0.10.1 && node json.mjs ../../files/hyparquet
//
// rowsOfJSON in ../scripts.go has the same rows.
import fs from 'fs';
import path from 'path';
import { parquetWriteBuffer } from 'hyparquet-writer';

const rows = [...Array(60).keys()];
const data = parquetWriteBuffer({
  columnData: [
    { name: 'id', data: rows.map((i) => BigInt(i)), type: 'INT64', nullable: false },
    { name: 'j', data: rows.map((i) => (i % 3 ? { n: i } : null)), type: 'JSON', nullable: true },
  ],
});
fs.writeFileSync(path.join(process.argv[2], 'json_v0.10.1.parquet'), Buffer.from(data));
