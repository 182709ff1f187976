-- Tells a text that the disk has changed from one that was written. Rows from before have none.
ALTER TABLE journal ADD COLUMN sum INTEGER;
