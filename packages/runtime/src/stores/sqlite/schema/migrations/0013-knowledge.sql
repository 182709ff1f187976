-- What later tasks may reuse (SAP-05, SAP-06): outcomes in the cache, signals, heuristics, the library. Append-only: a change is a
-- further row of the same key. Only digests are keys, and the content is encrypted.
CREATE TABLE knowledge (
  n INTEGER PRIMARY KEY,
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  topic TEXT NOT NULL,
  key TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  content BLOB NOT NULL,
  -- Of topic, key and encrypted content.
  sum INTEGER NOT NULL
) STRICT;

CREATE INDEX knowledge_by_key ON knowledge (tenant, topic, key, n);
CREATE INDEX knowledge_by_topic ON knowledge (tenant, topic, n);

CREATE TRIGGER knowledge_grows BEFORE INSERT ON knowledge
WHEN NEW.n > 0 AND EXISTS (SELECT 1 FROM knowledge WHERE n = NEW.n)
BEGIN SELECT raise(ABORT, 'knowledge grows only at its end'); END;

CREATE TRIGGER knowledge_stays BEFORE UPDATE ON knowledge
BEGIN SELECT raise(ABORT, 'knowledge is never changed'); END;

CREATE TRIGGER knowledge_is_kept BEFORE DELETE ON knowledge
BEGIN SELECT raise(ABORT, 'knowledge is never removed'); END;
