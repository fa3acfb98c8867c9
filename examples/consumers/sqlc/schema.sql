-- What sqlc has to know of the tables. The columns are those of DESCRIBE airports.
CREATE TABLE airports (
  iata varchar NOT NULL,
  name varchar NOT NULL,
  city varchar,
  state varchar,
  country varchar,
  latitude double precision NOT NULL,
  longitude double precision NOT NULL
);
