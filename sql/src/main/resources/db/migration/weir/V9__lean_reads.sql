-- Reads of few rows take less time: a query over the archive begins by opening the days that it may need, so parts that are hardly ever needed are
-- functions, which open nothing until they are called.

-- Whether the job's row is in the archive already, while the rest of its task moves there.
CREATE FUNCTION weir_archive_has_job(of_job text, archived_day date) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM job_arc r WHERE r.uid = of_job AND r.day = archived_day);
END $$;

-- The same for a file.
CREATE FUNCTION weir_archive_has_file(of_file text, archived_day date) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (SELECT FROM file_arc r WHERE r.id = of_file AND r.day = archived_day);
END $$;

-- A task's own row moves last, in the transaction that ends the move.
CREATE OR REPLACE VIEW task_present AS
  SELECT t.* FROM task_dat t
   WHERE NOT deleted AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = t.uid AND NOT a.moving OFFSET 0);

-- OFFSET 0 makes the look-up in task_archived one for each row that is shown; a join would read all of task_archived first. With the day, so that a
-- reader who knows it (from task_archived) opens that day only.
CREATE OR REPLACE VIEW task_past AS
  SELECT uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid, dat_out_uid,
         dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
         jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled,
         reason, accepted_at, closed_at, version, deleted, day
    FROM task_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.uid AND a.day = r.day OFFSET 0);

CREATE OR REPLACE VIEW job_present AS
  SELECT j.* FROM job_dat j
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = j.task_uid AND (NOT a.moving OR weir_archive_has_job(j.uid, a.day)) OFFSET 0);

CREATE OR REPLACE VIEW job_past AS
  SELECT uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, file_out_url,
         file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at, version, deleted, day
    FROM job_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.task_uid AND a.day = r.day OFFSET 0);

CREATE OR REPLACE VIEW file_all AS
  SELECT f.* FROM file_dat f
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = f.task_uid AND (NOT a.moving OR weir_archive_has_file(f.id, a.day)) OFFSET 0)
  UNION ALL
  SELECT id, task_uid, job_uid, attempt, dataset_uid, kind, status, path, storage_id, size, checksum, registered_at, version, deleted
    FROM file_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.task_uid AND a.day = r.day);
