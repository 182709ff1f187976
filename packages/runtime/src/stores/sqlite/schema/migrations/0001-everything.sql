-- What the hub keeps. Texts and bytes are written by the hub; the store does not look into them.
--
-- Rows that grow without end are appended: a table with an ascending number, and small indexes that lead to it. So a
-- store with a million ended pipelines costs a new one no more than an empty store does.

-- "Batn": says that the file is a store of Baton.
PRAGMA application_id = 0x4261746e;

CREATE TABLE tenants (
  n INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL UNIQUE
) STRICT;

-- A row of version 0 only gives a number to an id that the audit record names; for everybody else it is not there.
-- Template, name and the time of making are written once. A transition mostly changes version and updated_ms alone, and
-- no index looks at those two.
CREATE TABLE pipelines (
  n INTEGER PRIMARY KEY,
  pipeline_id TEXT NOT NULL UNIQUE,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  -- How many records its journal has.
  version INTEGER NOT NULL CHECK (version >= 0),
  status TEXT NOT NULL,
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
  template_id TEXT NOT NULL,
  pipeline_name TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  updated_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX pipelines_by_time ON pipelines (tenant, created_ms, pipeline_id);
CREATE INDEX pipelines_by_status ON pipelines (tenant, status, created_ms, pipeline_id);
CREATE INDEX pipelines_open ON pipelines (tenant, created_ms, pipeline_id) WHERE ended = 0;

-- Apart from the pipelines, so that those stay close together.
CREATE TABLE views (
  pipeline INTEGER PRIMARY KEY REFERENCES pipelines (n),
  view BLOB NOT NULL
) STRICT;

-- The newest instant in any row of a pipeline: one row.
CREATE TABLE clock (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  newest_ms INTEGER NOT NULL
) STRICT;
INSERT INTO clock VALUES (1, 0);

CREATE TABLE journal (
  n INTEGER PRIMARY KEY,
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  -- Of the first and of the last record in the text.
  version INTEGER NOT NULL CHECK (version > 0),
  last_version INTEGER NOT NULL CHECK (last_version >= version),
  -- Digest and length of every content that came with the text, and the contents, one after another. A content that an
  -- earlier row of the pipeline has is not written again.
  directory TEXT NOT NULL,
  text TEXT NOT NULL,
  contents BLOB NOT NULL,
  -- The index alone tells where a journal ends.
  UNIQUE (pipeline, last_version)
) STRICT;

-- Some audit entries of a tenant, one after another, about one pipeline or the fleet.
CREATE TABLE audit (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  first_sequence INTEGER NOT NULL CHECK (first_sequence > 0),
  last_sequence INTEGER NOT NULL CHECK (last_sequence >= first_sequence),
  -- NULL for what concerns the fleet.
  pipeline INTEGER REFERENCES pipelines (n),
  oldest_ms INTEGER NOT NULL,
  newest_ms INTEGER NOT NULL,
  -- Two bits for every event type in it.
  kinds INTEGER NOT NULL,
  -- Whether every audit id begins with that of the pipeline; then the directory has only the rest of them.
  has_own_ids INTEGER NOT NULL CHECK (has_own_ids IN (0, 1)),
  -- JSON: id, type, milliseconds after the oldest, length of the hash and of the entry, of each.
  directory TEXT NOT NULL,
  -- Hash and entry of each, one after another.
  entries BLOB NOT NULL
) STRICT;

-- Holds what tells that a row has nothing of what is wanted, so that most of those are not read.
CREATE INDEX audit_by_sequence ON audit (tenant, first_sequence, last_sequence, kinds, oldest_ms, newest_ms, pipeline);
CREATE INDEX audit_by_pipeline ON audit (pipeline, first_sequence) WHERE pipeline IS NOT NULL;
CREATE INDEX audit_with_other_ids ON audit (tenant, first_sequence) WHERE has_own_ids = 0;

CREATE TABLE events (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  first_sequence INTEGER NOT NULL CHECK (first_sequence > 0),
  last_sequence INTEGER NOT NULL CHECK (last_sequence >= first_sequence),
  at_ms INTEGER NOT NULL,
  events BLOB NOT NULL,
  UNIQUE (tenant, first_sequence)
) STRICT;

CREATE TABLE fleet (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  text TEXT NOT NULL
) STRICT;

-- Commands that are not known to have been carried out. The hub gives the ids.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  text TEXT NOT NULL
) STRICT;

CREATE TABLE timers (
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  timer_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (pipeline, timer_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE escalations (
  n INTEGER PRIMARY KEY,
  escalation_id TEXT NOT NULL UNIQUE,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  stage_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  risk_tier TEXT NOT NULL,
  raised_ms INTEGER NOT NULL,
  resolved_ms INTEGER,
  escalation BLOB NOT NULL
) STRICT;

CREATE INDEX escalations_by_time ON escalations (tenant, raised_ms, escalation_id);
CREATE INDEX escalations_open ON escalations (tenant, raised_ms, escalation_id) WHERE resolved_ms IS NULL;
CREATE INDEX escalations_by_pipeline ON escalations (pipeline);

-- Append-only (OBS-03), whoever opens the file. INSERT OR REPLACE removes rows without asking the DELETE triggers unless
-- the connection wants recursive triggers, so rows that would replace another are refused before they come in. The same
-- triggers keep journals and sequences without gaps. They ask indexes only, because they are asked for every row; a row
-- that is not given a number has none above zero yet.

CREATE TRIGGER journal_grows BEFORE INSERT ON journal
WHEN NEW.version <> 1 + coalesce((SELECT max(last_version) FROM journal WHERE pipeline = NEW.pipeline), 0)
  OR (NEW.n > 0 AND EXISTS (SELECT 1 FROM journal WHERE n = NEW.n))
BEGIN SELECT raise(ABORT, 'a journal grows only at its end'); END;

CREATE TRIGGER journal_stays BEFORE UPDATE ON journal
BEGIN SELECT raise(ABORT, 'a journal is never changed'); END;

CREATE TRIGGER journal_is_kept BEFORE DELETE ON journal
BEGIN SELECT raise(ABORT, 'a journal is never removed'); END;

CREATE TRIGGER audit_grows BEFORE INSERT ON audit
WHEN NEW.first_sequence <> 1 + coalesce(
    (SELECT last_sequence FROM audit WHERE tenant = NEW.tenant ORDER BY first_sequence DESC LIMIT 1), 0)
  OR (NEW.n > 0 AND EXISTS (SELECT 1 FROM audit WHERE n = NEW.n))
BEGIN SELECT raise(ABORT, 'the audit record of a tenant grows only at its end'); END;

CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
BEGIN SELECT raise(ABORT, 'an audit entry is never changed'); END;

CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
BEGIN SELECT raise(ABORT, 'an audit entry is never removed'); END;

CREATE TRIGGER fleet_grows BEFORE INSERT ON fleet
WHEN EXISTS (SELECT 1 FROM fleet WHERE n = NEW.n)
BEGIN SELECT raise(ABORT, 'the records of the fleet grow only at their end'); END;

CREATE TRIGGER fleet_stays BEFORE UPDATE ON fleet
BEGIN SELECT raise(ABORT, 'a record of the fleet is never changed'); END;

CREATE TRIGGER fleet_is_kept BEFORE DELETE ON fleet
BEGIN SELECT raise(ABORT, 'a record of the fleet is never removed'); END;

-- Events may be removed once they are old, but never the last ones of a tenant: the next go on from them.
CREATE TRIGGER events_grow BEFORE INSERT ON events
WHEN NEW.first_sequence <> 1 + coalesce(
    (SELECT last_sequence FROM events WHERE tenant = NEW.tenant ORDER BY first_sequence DESC LIMIT 1), 0)
  OR (NEW.n > 0 AND EXISTS (SELECT 1 FROM events WHERE n = NEW.n))
BEGIN SELECT raise(ABORT, 'the events of a tenant grow only at their end'); END;

CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT raise(ABORT, 'an event is never changed'); END;

CREATE TRIGGER last_events_are_kept BEFORE DELETE ON events
WHEN NOT EXISTS (SELECT 1 FROM events WHERE tenant = OLD.tenant AND first_sequence > OLD.first_sequence)
BEGIN SELECT raise(ABORT, 'the last events of a tenant are never removed'); END;

-- A number leads to the same pipeline and tenant for ever.
CREATE TRIGGER pipelines_are_kept BEFORE DELETE ON pipelines
BEGIN SELECT raise(ABORT, 'a pipeline is never removed'); END;

CREATE TRIGGER tenants_are_kept BEFORE DELETE ON tenants
BEGIN SELECT raise(ABORT, 'a tenant is never removed'); END;
