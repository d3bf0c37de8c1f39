-- Tasks of a pool, which never changes: updates stay HOT. Without them the list of a rare pool reads all tasks of the archive.
CREATE INDEX task_dat_pool ON task_dat (pool, accepted_at, uid) WHERE pool IS NOT NULL;
CREATE INDEX task_arc_pool ON task_arc (pool, accepted_at, uid) WHERE pool IS NOT NULL;
