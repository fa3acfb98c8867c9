// Writes a file by arrow-rs whose column index calls pages of a list NULL that have
// values: it compares their NULLs with their rows.
//
//	npm install hyparquet-writer@0.17.0 parquet-wasm@0.8.0 && node main.mjs ../../files/parquet-rs
//
// rowsOfLists in ../scripts.go has the same rows.
import fs from 'fs';
import path from 'path';
import { parquetWriteBuffer } from 'hyparquet-writer';
import wasm from 'parquet-wasm';

const rows = [...Array(200).keys()];
const tags = (i) => [...Array(i % 4).keys()].map((k) => ((i + k) % 3 ? 't' + (i + k) : null));
// parquet-wasm takes Arrow tables, or what it reads from a Parquet file.
const source = parquetWriteBuffer({
  columnData: [
    { name: 'id', data: rows.map((i) => BigInt(i)) },
    { name: 'tags', data: rows.map(tags) },
  ],
  schema: [
    { name: 'root', num_children: 2 },
    { name: 'id', type: 'INT64', repetition_type: 'REQUIRED' },
    { name: 'tags', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
  ],
});
const properties = new wasm.WriterPropertiesBuilder()
  .setCompression(wasm.Compression.UNCOMPRESSED)
  .setDictionaryEnabled(false)
  .setWriteBatchSize(4)
  .setDataPageSizeLimit(16)
  .build();
const file = wasm.writeParquet(wasm.readParquet(new Uint8Array(source)), properties);
fs.writeFileSync(path.join(process.argv[2], 'null_pages.parquet'), file);
