// The archives of duckdb-go-bindings contain the extensions tpch and tpcds, but
// DuckDB does not load them by itself, and the C API has no call for it. The
// extension's entry function takes a C++ object, whose class the bindings' headers
// lack: what is declared here is as much of DuckDB 1.5's classes as the call needs.
#include <string>

namespace duckdb {
class DatabaseInstance;

class ExtensionLoader {
public:
	ExtensionLoader(DatabaseInstance &db, const std::string &name);
	void FinalizeLoad();
	// The real class has a few fields; the constructor writes them here.
	alignas(16) char fields[1024];
};
} // namespace duckdb

extern "C" {
void tpch_duckdb_cpp_init(duckdb::ExtensionLoader &loader);
void tpcds_duckdb_cpp_init(duckdb::ExtensionLoader &loader);

// parquetsql_bench_load registers the functions of both extensions with an open
// database of the C API: a pointer to a wrapper, whose first field points to a
// DuckDB, whose first field points to the instance.
void parquetsql_bench_load(void *database) {
	void *duck = *static_cast<void **>(database);
	auto &instance = **static_cast<duckdb::DatabaseInstance **>(duck);
	// The loaders are not destroyed: the destructor is not part of the library.
	auto *tpch = new duckdb::ExtensionLoader(instance, "tpch");
	tpch_duckdb_cpp_init(*tpch);
	tpch->FinalizeLoad();
	auto *tpcds = new duckdb::ExtensionLoader(instance, "tpcds");
	tpcds_duckdb_cpp_init(*tpcds);
	tpcds->FinalizeLoad();
}
}
