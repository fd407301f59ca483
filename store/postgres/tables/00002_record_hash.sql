-- +goose Up
-- A record is named by its hash. Writers wait while the index is made; programs of
-- the version before go on beside it.
CREATE INDEX record_hash ON record USING hash (hash);

-- +goose Down
DROP INDEX record_hash;
