-- The last start of each job that keeps state: a start that continues from older state is recognised by it.
CREATE TABLE last_start (
  job        text PRIMARY KEY,
  id         text NOT NULL,
  directory  text NOT NULL,
  client     text,
  started_at timestamptz NOT NULL
);
