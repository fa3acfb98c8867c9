module github.com/parquetsql/parquetsql

go 1.26
