-- For pages of the gateway: the two parts of job_all, each read along its index (task_uid, position). From job_all a page would sort all jobs of
-- the task. OFFSET 0 makes the look-up in task_archived one for each row that is shown.
CREATE VIEW job_present AS
  SELECT j.* FROM job_dat j
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = j.task_uid AND (NOT a.moving OR EXISTS (SELECT FROM job_arc r WHERE r.uid = j.uid AND r.day = a.day OFFSET 0))
      OFFSET 0);

CREATE VIEW job_past AS
  SELECT uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, file_out_url,
         file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at, version, deleted
    FROM job_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.task_uid AND a.day = r.day OFFSET 0);

CREATE OR REPLACE VIEW job_all AS SELECT * FROM job_present UNION ALL SELECT * FROM job_past;

-- Tasks of an owner, which never changes: updates stay HOT.
CREATE INDEX task_dat_owner ON task_dat (owner, accepted_at, uid) WHERE owner IS NOT NULL;
CREATE INDEX task_arc_owner ON task_arc (owner, accepted_at, uid) WHERE owner IS NOT NULL;
