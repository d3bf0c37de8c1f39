-- For the lists of the gateway: tasks by age and by the beginning of their uids. None of the columns changes after a row's first version, so
-- updates stay HOT.

CREATE INDEX task_dat_age ON task_dat (accepted_at, uid);
CREATE INDEX task_dat_uid_prefix ON task_dat (uid text_pattern_ops);
CREATE INDEX task_arc_age ON task_arc (accepted_at, uid);
CREATE INDEX task_arc_state ON task_arc (state, accepted_at, uid);
CREATE INDEX task_arc_uid_prefix ON task_arc (uid text_pattern_ops);
CREATE INDEX task_arc_out ON task_arc (dat_out_uid);

-- The two parts of task_all. A list takes its page from each part, along an index, and merges the two; from task_all it would sort all tasks.
-- OFFSET 0 makes the look-up in task_archived one for each row that is shown; a join would read all of task_archived first.
CREATE VIEW task_present AS
  SELECT t.* FROM task_dat t
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = t.uid AND (NOT a.moving OR EXISTS (SELECT FROM task_arc r WHERE r.uid = t.uid AND r.day = a.day OFFSET 0))
      OFFSET 0);

CREATE VIEW task_past AS
  SELECT uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid, dat_out_uid,
         dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
         jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled,
         reason, accepted_at, closed_at, version, deleted
    FROM task_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.uid AND a.day = r.day);

CREATE OR REPLACE VIEW task_all AS SELECT * FROM task_present UNION ALL SELECT * FROM task_past;

-- Tasks that have not ended. They are in the present part, but for up to a minute after Weir went back to an older state.
CREATE VIEW task_open AS
  SELECT * FROM task_present WHERE state IN ('accepted', 'active', 'paused', 'cancelled');
