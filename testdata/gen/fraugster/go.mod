module github.com/parquetsql/parquetsql/testdata/gen/fraugster

go 1.26

require github.com/fraugster/parquet-go v0.12.0

require (
	github.com/apache/thrift v0.16.0 // indirect
	github.com/golang/snappy v0.0.4 // indirect
)
