-- SAOP §5: the task_id of a turn is the id of its task in `tasks`. Turns of earlier versions have there the name that the task
-- was submitted with; nothing else of them changes.
DROP TRIGGER agent_logs_stay;

-- The dispatch id without the number of the attempt.
UPDATE agent_logs SET envelope_json = json_set(envelope_json, '$.metadata.task_id',
  substr(dispatch_id, 1, length(rtrim(dispatch_id, '0123456789')) - 1))
WHERE json_valid(envelope_json) AND json_type(envelope_json, '$.metadata') = 'object';

-- To join `tasks` by.
ALTER TABLE agent_logs ADD COLUMN task_id TEXT GENERATED ALWAYS AS
  (CASE WHEN json_valid(envelope_json) THEN json_extract(envelope_json, '$.metadata.task_id') END) VIRTUAL;

CREATE TRIGGER agent_logs_stay BEFORE UPDATE ON agent_logs
BEGIN SELECT raise(ABORT, 'a turn is never changed'); END;
