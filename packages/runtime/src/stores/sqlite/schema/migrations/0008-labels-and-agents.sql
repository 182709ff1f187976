-- What lists of runs are filtered by. Rows of earlier versions have none of it; those of open runs get their agents with
-- their next transition.
ALTER TABLE pipelines ADD COLUMN task_id TEXT NOT NULL DEFAULT '';
ALTER TABLE pipelines ADD COLUMN risk_tier TEXT NOT NULL DEFAULT '';
ALTER TABLE pipelines ADD COLUMN labels TEXT NOT NULL DEFAULT '';
ALTER TABLE pipelines ADD COLUMN agents TEXT NOT NULL DEFAULT '';
