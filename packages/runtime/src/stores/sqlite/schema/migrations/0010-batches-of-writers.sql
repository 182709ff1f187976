-- Each writer numbers its batches. The last number is stored with the batch, so that a writer whose answer was lost can ask
-- whether the batch is stored, and a batch out of sequence is refused.
CREATE TABLE writers (
  writer TEXT NOT NULL PRIMARY KEY,
  last_batch INTEGER NOT NULL CHECK (last_batch > 0)
) STRICT, WITHOUT ROWID;
