module github.com/parquetsql/parquetsql/cmd/parquetsql

go 1.26.0

require (
	github.com/go-analyze/charts v0.6.4
	github.com/guptarohit/asciigraph v0.10.0
	github.com/parquetsql/parquetsql v0.0.0
	github.com/parquetsql/parquetsql/arrow v0.0.0
	github.com/parquetsql/parquetsql/iceberg v0.0.0
	github.com/parquetsql/parquetsql/server v0.0.0
	github.com/parquetsql/parquetsql/store v0.0.0
	github.com/rivo/uniseg v0.4.7
	github.com/yuin/goldmark v1.8.7
	golang.org/x/net v0.62.0
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.47.0
)

require (
	github.com/andybalholm/brotli v1.2.8 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/go-analyze/bulk v0.1.6 // indirect
	github.com/golang/freetype v0.0.0-20170609003504-e2365dfdc4a0 // indirect
	github.com/golang/snappy v1.0.0 // indirect
	github.com/jackc/pgx/v5 v5.13.0 // indirect
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/peterstace/simplefeatures v0.50.0 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	github.com/xwb1989/sqlparser v0.0.0-20180606152119-120387863bf2 // indirect
	go.mongodb.org/mongo-driver/v2 v2.9.3 // indirect
	golang.org/x/image v0.45.0 // indirect
)
