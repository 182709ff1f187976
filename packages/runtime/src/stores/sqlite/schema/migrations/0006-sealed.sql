-- What the work goes on from cannot be masked, so it is sealed: with a key that lies in a file of its own
-- (docs/decisions/0035-what-cannot-be-masked-is-sealed.md).

-- Which key that is, and a known text that only this key opens: one row, from the moment that rows are sealed.
CREATE TABLE sealing (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  key_id TEXT NOT NULL,
  proof BLOB NOT NULL
) STRICT;

-- In place of the text, which is empty then. A row of the journal has its contents in it too, behind the text, and its sum
-- is that of the sealed bytes.
ALTER TABLE journal ADD COLUMN sealed BLOB;
ALTER TABLE fleet ADD COLUMN sealed BLOB;
ALTER TABLE outbox ADD COLUMN sealed BLOB;
ALTER TABLE held_back ADD COLUMN sealed BLOB;

-- The ids in timers, open_calls and held_back are sealed where they are: an id always becomes the same text.
