-- What vouches for the audit record (OBS-04): its state at some points, signed, and the tree over its entries.

CREATE TABLE checkpoints (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  -- The last entry that it covers.
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  -- The contract's AuditCheckpoint.
  checkpoint BLOB NOT NULL,
  -- Of the key that signed it.
  public_key BLOB NOT NULL CHECK (length(public_key) = 32),
  -- Tops of the perfect trees, from which the tree is grown on.
  peaks BLOB NOT NULL,
  UNIQUE (tenant, sequence)
) STRICT;

-- Nodes that are full, from a level on: those below are computed from the entries. A node never changes.
CREATE TABLE tree_nodes (
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  level INTEGER NOT NULL,
  place INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (tenant, level, place)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER checkpoints_grow BEFORE INSERT ON checkpoints
WHEN NEW.sequence <= coalesce((SELECT max(sequence) FROM checkpoints WHERE tenant = NEW.tenant), 0)
  OR (NEW.n > 0 AND EXISTS (SELECT 1 FROM checkpoints WHERE n = NEW.n))
BEGIN SELECT raise(ABORT, 'checkpoints come in their order'); END;

CREATE TRIGGER checkpoints_stay BEFORE UPDATE ON checkpoints
BEGIN SELECT raise(ABORT, 'a checkpoint is never changed'); END;

CREATE TRIGGER checkpoints_are_kept BEFORE DELETE ON checkpoints
BEGIN SELECT raise(ABORT, 'a checkpoint is never removed'); END;

CREATE TRIGGER tree_nodes_grow BEFORE INSERT ON tree_nodes
WHEN EXISTS (SELECT 1 FROM tree_nodes WHERE tenant = NEW.tenant AND level = NEW.level AND place = NEW.place)
BEGIN SELECT raise(ABORT, 'a node of the tree is there already'); END;

CREATE TRIGGER tree_nodes_stay BEFORE UPDATE ON tree_nodes
BEGIN SELECT raise(ABORT, 'a node of the tree is never changed'); END;

CREATE TRIGGER tree_nodes_are_kept BEFORE DELETE ON tree_nodes
BEGIN SELECT raise(ABORT, 'a node of the tree is never removed'); END;
