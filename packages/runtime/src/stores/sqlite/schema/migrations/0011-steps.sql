-- Durable steps of attempts (PIP-11), which the next attempt at the same work is given. Agents report them, and nothing of them
-- can be masked, so the id of the attempt, the step and its value are encrypted.
CREATE TABLE steps (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  dispatch_id TEXT NOT NULL,
  -- Among the steps of the attempt.
  ordinal INTEGER NOT NULL CHECK (ordinal > 0),
  -- When it was last reported.
  at_ms INTEGER NOT NULL,
  -- The step without its value.
  info BLOB NOT NULL,
  value BLOB NOT NULL,
  value_bytes INTEGER NOT NULL CHECK (value_bytes >= 0),
  -- Of the encrypted info and value: a damaged value is not given to an agent.
  sum INTEGER NOT NULL,
  UNIQUE (dispatch_id, ordinal)
) STRICT;

-- The oldest of a tenant are removed first.
CREATE INDEX steps_by_tenant ON steps (tenant);
