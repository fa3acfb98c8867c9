"""Asks what programs with psycopg2 and SQLAlchemy ask, and prints an answer in each line."""
import datetime
import decimal
import sys

import psycopg2
import sqlalchemy

host, port = sys.argv[1].rsplit(":", 1)
c = psycopg2.connect(host=host, port=port, user="me", dbname="sales")
cur = c.cursor()


def ask(query, *args):
    cur.execute(query, args)
    return cur.fetchall()


print("count:", ask("SELECT COUNT(*) FROM penguins WHERE Island = %s", "Dream"))
print("tuple:", ask("SELECT COUNT(*) FROM penguins WHERE Island IN %s", ("Dream", "Biscoe")))
print("array:", ask("SELECT COUNT(*) FROM penguins WHERE Island = ANY(%s)", ["Dream", "Biscoe"]))
print("types:", ask("SELECT 7::int2, 2.50::decimal(5,2), 'x', true, DATE '2020-01-02', TIMESTAMP '2020-01-02 03:04:05.5', NULL, [1, 2], INTERVAL '1 day', %s, %s",
                    datetime.date(2020, 1, 1), decimal.Decimal("1.5")))
named = c.cursor("named")
named.itersize = 100
named.execute("SELECT Species FROM penguins")
print("cursor:", len(list(named)))
c.commit()
try:
    ask("SELECT nix FROM penguins")
except psycopg2.Error as e:
    print("error:", e.pgcode)
c.rollback()
engine = sqlalchemy.create_engine("postgresql+psycopg2://me@%s/sales" % sys.argv[1])
i = sqlalchemy.inspect(engine)
print("tables:", "penguins" in i.get_table_names(), i.default_schema_name, i.get_schema_names(), i.get_view_names())
print("columns:", [(x["name"], str(x["type"])) for x in i.get_columns("penguins")][4:])
print("keys:", i.get_pk_constraint("penguins")["constrained_columns"], i.get_foreign_keys("penguins"), i.get_indexes("penguins"), i.get_unique_constraints("penguins"), i.get_check_constraints("penguins"))
t = sqlalchemy.Table("penguins", sqlalchemy.MetaData(), autoload_with=engine)
with engine.connect() as k:
    print("rows:", k.execute(sqlalchemy.select(t.c.Species, sqlalchemy.func.count()).group_by(t.c.Species).order_by(t.c.Species)).fetchall())
