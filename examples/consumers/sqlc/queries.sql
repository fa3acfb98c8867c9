-- name: GetAirport :one
SELECT * FROM airports WHERE iata = $1;

-- name: ListByStates :many
SELECT state, COUNT(*) AS airports, MAX(latitude)::double precision AS north FROM airports
WHERE state = ANY(sqlc.arg(states)::varchar[]) GROUP BY state ORDER BY airports DESC LIMIT sqlc.arg(most);
