-- +goose Up
-- What concerns the store as a whole. The epoch rises when something is taken
-- out, so that nobody goes on with numbers that they remember.
CREATE TABLE store (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
INSERT INTO store (name, value) VALUES ('epoch', 0);

CREATE TABLE session (
  id BIGINT PRIMARY KEY, name TEXT COLLATE "C" NOT NULL UNIQUE, parent TEXT COLLATE "C" NOT NULL, project TEXT COLLATE "C" NOT NULL, version BIGINT NOT NULL, state BYTEA,
  created BIGINT NOT NULL, updated BIGINT NOT NULL,
  base_seq BIGINT NOT NULL, base_hash BYTEA NOT NULL, head_seq BIGINT NOT NULL, head_hash BYTEA NOT NULL
);

-- Times are microseconds since 1970. project is null while it is the session's.
CREATE TABLE record (
  id BIGINT PRIMARY KEY, session BIGINT NOT NULL, seq BIGINT NOT NULL, at BIGINT NOT NULL,
  hash BYTEA NOT NULL, prompt BYTEA, input BIGINT NOT NULL, list BIGINT NOT NULL, label TEXT, project TEXT COLLATE "C"
);
CREATE UNIQUE INDEX record_chain ON record (session, seq);
CREATE INDEX record_list ON record (list);

-- key: the first four bytes of the SHA-256 of what is packed in data. It is
-- packed already, so the server needn't try.
CREATE TABLE text (id BIGINT PRIMARY KEY, key BIGINT NOT NULL, base BIGINT, data BYTEA NOT NULL);
ALTER TABLE text ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX text_key ON text (key);
-- words is null for a text of too many; it is looked at in every search.
CREATE TABLE word (id BIGINT PRIMARY KEY, words TSVECTOR);
CREATE INDEX word_words ON word USING gin (words);

-- A fragment as it was decided on. size is null when it was excluded.
CREATE TABLE entry (id BIGINT PRIMARY KEY, text BIGINT NOT NULL, form BIGINT NOT NULL, size BIGINT);
CREATE INDEX entry_text ON entry (text, form);

CREATE TABLE list (id BIGINT PRIMARY KEY, key BIGINT NOT NULL, base BIGINT, data BYTEA NOT NULL);
CREATE INDEX list_key ON list (key);
CREATE TABLE listed (id BIGINT PRIMARY KEY, entries BIGINT[] NOT NULL);
CREATE INDEX listed_entries ON listed USING gin (entries);

CREATE TABLE input (id BIGINT PRIMARY KEY, key BIGINT NOT NULL, digest BYTEA NOT NULL, base BIGINT, data BYTEA NOT NULL);
CREATE INDEX input_key ON input (key);

-- Texts that a session keeps besides its records.
CREATE TABLE kept (session BIGINT NOT NULL, text BIGINT NOT NULL, PRIMARY KEY (session, text));

-- What was done under an idempotency key.
CREATE TABLE request (
  session BIGINT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, answer BYTEA, result TEXT NOT NULL, at BIGINT NOT NULL,
  PRIMARY KEY (session, key)
);

-- +goose Down
DROP TABLE request; DROP TABLE kept; DROP TABLE input; DROP TABLE listed; DROP TABLE list; DROP TABLE entry;
DROP TABLE word; DROP TABLE text; DROP TABLE record; DROP TABLE session; DROP TABLE store;
