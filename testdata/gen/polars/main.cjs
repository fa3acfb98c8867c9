// Writes a file by Polars whose column index calls pages NULL that have a NaN:
//
//	npm install nodejs-polars@0.26.1 && node main.cjs ../../files/polars
//
// rowsOfPolars in ../scripts.go has the same rows.
const path = require('path');
const pl = require('nodejs-polars');

const rows = [...Array(200).keys()];
const x = (i) => (i % 50 < 10 ? null : i % 50 < 20 ? NaN : i / 4);
const frame = pl.DataFrame([
  pl.Series('id', rows, pl.Int32),
  pl.Series('x', rows.map(x), pl.Float64),
]);
frame.writeParquet(path.join(process.argv[2], 'nan.parquet'), { compression: 'uncompressed', statistics: true, dataPageSize: 80 });
