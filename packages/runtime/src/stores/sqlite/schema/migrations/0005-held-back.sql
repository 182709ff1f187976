-- What an agent told and nobody was told yet, since it may be a part of a secret (TUR-06): the next life of the hub goes on
-- from it. As it was said, like agent_logs, and only until the attempt is over.
CREATE TABLE held_back (
  dispatch_id TEXT NOT NULL PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  pipeline INTEGER NOT NULL REFERENCES pipelines (n),
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
