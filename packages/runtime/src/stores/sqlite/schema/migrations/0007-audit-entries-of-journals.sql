-- The first and the last audit entry of the tenant that were committed with the row, so that the journal alone shows when
-- the record has lost entries. NULL where the batch held none, and in rows of earlier versions.
ALTER TABLE journal ADD COLUMN first_audited INTEGER;
ALTER TABLE journal ADD COLUMN last_audited INTEGER;
