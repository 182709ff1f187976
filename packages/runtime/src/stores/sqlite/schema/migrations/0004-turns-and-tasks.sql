-- What agents said while they worked (SAOP §1, §5), as they said it: the store's access control is what keeps it, and every
-- way out passes the filter (TUR-03).

CREATE TABLE agent_logs (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  -- The attempt: of pipeline, stage and the number of the attempt.
  dispatch_id TEXT NOT NULL,
  turn_index INTEGER NOT NULL CHECK (turn_index >= 0),
  -- The whole turn as SAOP writes it, never cut.
  envelope_json TEXT NOT NULL,
  -- The event by which watchers were told of it.
  event_id TEXT NOT NULL,
  -- The pack behind the role.
  pack_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  UNIQUE (dispatch_id, turn_index)
) STRICT;

-- The oldest of a tenant are removed first.
CREATE INDEX agent_logs_by_tenant ON agent_logs (tenant);

CREATE TRIGGER agent_logs_stay BEFORE UPDATE ON agent_logs
BEGIN SELECT raise(ABORT, 'a turn is never changed'); END;

-- A turn that is told again is stored once.
CREATE TRIGGER agent_logs_grow BEFORE INSERT ON agent_logs
WHEN EXISTS (SELECT 1 FROM agent_logs WHERE dispatch_id = NEW.dispatch_id AND turn_index = NEW.turn_index)
  OR (NEW.n > 0 AND EXISTS (SELECT 1 FROM agent_logs WHERE n = NEW.n))
BEGIN SELECT raise(IGNORE); END;

-- Where each stage is. Written with the transition that leads there, by keys that grow: it has to cost next to nothing.
CREATE TABLE task_states (
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  stage_id TEXT NOT NULL,
  state TEXT NOT NULL,
  -- The commit that came with a transition last.
  head_hash TEXT,
  updated_ms INTEGER NOT NULL,
  PRIMARY KEY (pipeline, stage_id)
) STRICT, WITHOUT ROWID;

-- SAOP §5: pipelines and their stages, by the ids that TASK_TRANSITION names.
CREATE VIEW tasks (id, state, head_hash, updated_ms) AS
  SELECT p.pipeline_id, p.status,
    (SELECT s.head_hash FROM task_states s WHERE s.pipeline = p.n AND s.head_hash IS NOT NULL
      ORDER BY s.updated_ms DESC LIMIT 1),
    p.updated_ms
  FROM pipelines p WHERE p.version > 0
  UNION ALL
  SELECT p.pipeline_id || '/' || s.stage_id, s.state, s.head_hash, s.updated_ms
  FROM task_states s JOIN pipelines p ON p.n = s.pipeline;

-- Calls of tools that have not come to an end (TUR-05): what an earlier life of the hub heard begin.
CREATE TABLE open_calls (
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  dispatch_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (dispatch_id, call_id)
) STRICT, WITHOUT ROWID;
