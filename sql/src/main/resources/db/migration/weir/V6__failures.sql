-- For the failures of a task. error_type changes only when an attempt fails, or another one follows it: other updates stay HOT.
CREATE INDEX job_dat_failed ON job_dat (task_uid) WHERE error_type IS NOT NULL;
CREATE INDEX job_arc_failed ON job_arc (task_uid) WHERE error_type IS NOT NULL;
