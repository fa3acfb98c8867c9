import java.sql.*;

/** Asks what tools ask of PostgreSQL's JDBC driver, and prints an answer in each line. */
public class Meta {
    static Connection c;

    static String rows(ResultSet r, String... columns) throws SQLException {
        StringBuilder out = new StringBuilder();
        while (r.next()) {
            if (out.length() > 0) out.append(";");
            for (int i = 0; i < columns.length; i++) out.append(i > 0 ? "|" : "").append(r.getString(columns[i]));
        }
        r.close();
        return out.toString();
    }

    interface Ask { String ask() throws Exception; }

    static void say(String name, Ask a) {
        try {
            System.out.println(name + ": " + a.ask());
        } catch (Exception e) {
            System.out.println(name + ": FAILED " + e.toString().replace('\n', ' '));
        }
    }

    public static void main(String[] args) throws Exception {
        c = DriverManager.getConnection(args[0]);
        DatabaseMetaData m = c.getMetaData();
        say("version", () -> m.getDatabaseProductName() + " " + m.getDatabaseMajorVersion());
        say("schemas", () -> rows(m.getSchemas(), "TABLE_SCHEM"));
        say("tables", () -> rows(m.getTables(null, "main", "p%", new String[] {"TABLE"}), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE"));
        say("columns", () -> rows(m.getColumns(null, "main", "penguins", "%"), "COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "ORDINAL_POSITION"));
        say("keys", () -> rows(m.getPrimaryKeys(null, "main", "penguins"), "COLUMN_NAME"));
        say("imported", () -> rows(m.getImportedKeys(null, "main", "penguins"), "FKCOLUMN_NAME"));
        say("indexes", () -> rows(m.getIndexInfo(null, "main", "penguins", false, false), "INDEX_NAME"));
        say("types", () -> String.valueOf(rows(m.getTypeInfo(), "TYPE_NAME", "DATA_TYPE").contains("int4|4")));
        say("catalogs", () -> rows(m.getCatalogs(), "TABLE_CAT"));
        say("procedures", () -> rows(m.getFunctions(null, null, "%"), "FUNCTION_NAME"));
        say("privileges", () -> rows(m.getTablePrivileges(null, "main", "penguins"), "PRIVILEGE"));
        say("result", () -> {
            try (PreparedStatement s = c.prepareStatement("SELECT Species, COUNT(*) AS n FROM penguins WHERE Island = ? AND \"Body Mass (g)\" > ? GROUP BY 1 ORDER BY 1")) {
                s.setString(1, "Dream");
                s.setInt(2, 0);
                ResultSetMetaData d = s.getMetaData();
                return d.getColumnTypeName(1) + "," + d.getColumnTypeName(2) + " " + rows(s.executeQuery(), "Species", "n");
            }
        });
        say("fetched", () -> {
            c.setAutoCommit(false);
            try (Statement s = c.createStatement()) {
                s.setFetchSize(50);
                int n = 0;
                for (ResultSet r = s.executeQuery("SELECT * FROM penguins"); r.next(); ) n++;
                c.commit();
                return String.valueOf(n);
            } finally {
                c.setAutoCommit(true);
            }
        });
        // After five executions the driver asks for the binary format.
        say("binary", () -> {
            String out = "";
            try (PreparedStatement s = c.prepareStatement("SELECT 7::SMALLINT, 2.50::DECIMAL(5,2), 1.5::DOUBLE, DATE '2020-02-03', TIMESTAMP '2020-02-03 04:05:06.5', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'::UUID, 'ab'::BLOB, [1, NULL], ?")) {
                for (int i = 0; i < 7; i++) {
                    s.setBigDecimal(1, new java.math.BigDecimal("1.25"));
                    ResultSet r = s.executeQuery();
                    r.next();
                    out = r.getInt(1) + " " + r.getBigDecimal(2) + " " + r.getDouble(3) + " " + r.getString(4) + " " + r.getTimestamp(5) + " " + r.getObject(6) + " "
                        + new String(r.getBytes(7)) + " " + r.getString(8) + " " + r.getBigDecimal(9);
                }
            }
            return out;
        });
        say("error", () -> {
            try (Statement s = c.createStatement()) {
                s.executeQuery("SELECT nix FROM penguins");
                return "none";
            } catch (SQLException e) {
                return e.getSQLState();
            }
        });
    }
}
