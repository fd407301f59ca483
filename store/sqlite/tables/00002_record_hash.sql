-- +goose Up
-- A record is named by its hash. Eight of its bytes tell it from all others but a
-- few, and the index stays small.
CREATE INDEX record_hash ON record (substr(hash, 1, 8));

-- +goose Down
DROP INDEX record_hash;
