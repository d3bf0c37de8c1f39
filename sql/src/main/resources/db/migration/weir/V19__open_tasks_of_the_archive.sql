-- A task that is open again because Weir went back to an older state, while its rows are in the archive, stays there until it closes: each of its
-- rows is merged within a minute. It was missing among the open tasks for that long.

-- Next to empty in each day: looking for open tasks in ninety days takes half a millisecond.
CREATE INDEX task_arc_open ON task_arc (accepted_at, uid) WHERE state IN ('accepted', 'active', 'paused', 'cancelled');

-- Tasks that have not ended, in either part.
CREATE OR REPLACE VIEW task_open AS
  SELECT * FROM task_present WHERE state IN ('accepted', 'active', 'paused', 'cancelled')
  UNION ALL
  SELECT uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid, dat_out_uid,
         dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
         jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled,
         reason, accepted_at, closed_at, version, deleted
    FROM task_past WHERE state IN ('accepted', 'active', 'paused', 'cancelled');

-- Nobody looks for missing files of a dataset: they are found by their task.
DROP INDEX file_dat_failed;
