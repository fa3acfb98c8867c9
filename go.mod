module github.com/parquetsql/parquetsql

go 1.26

require (
	github.com/andybalholm/brotli v1.2.8
	github.com/cespare/xxhash/v2 v2.3.0
	github.com/golang/geo v0.0.0-20260818125358-b200a1149890
	github.com/golang/snappy v1.0.0
	github.com/klauspost/compress v1.20.3
	github.com/peterstace/simplefeatures v0.50.0
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/rivo/uniseg v0.4.7
	github.com/xwb1989/sqlparser v0.0.0-20180606152119-120387863bf2
	go.mongodb.org/mongo-driver/v2 v2.9.3
	golang.org/x/text v0.39.0
)
