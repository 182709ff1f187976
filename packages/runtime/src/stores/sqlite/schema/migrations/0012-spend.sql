-- What each tenant spent a day, in UTC, by agent, template and model (SAC-12). Batches add to it, so that no start of the hub and
-- no list has to read journals for it. Amounts end at 2^53 - 1.
CREATE TABLE spend (
  tenant INTEGER NOT NULL REFERENCES tenants (n),
  -- Days since 1970-01-01.
  day INTEGER NOT NULL,
  pack_id TEXT NOT NULL,
  template_id TEXT NOT NULL,
  -- Both empty for usage that names no model.
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL,
  input_tokens INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cache_read_tokens INTEGER NOT NULL,
  cache_write_tokens INTEGER NOT NULL,
  reasoning_tokens INTEGER NOT NULL,
  cost_micro_usd INTEGER NOT NULL,
  cost_unknown INTEGER NOT NULL,
  PRIMARY KEY (tenant, day, pack_id, template_id, provider, model)
) STRICT, WITHOUT ROWID;
-- A starting hub reads the days of the current month.
CREATE INDEX spend_by_day ON spend (day);
