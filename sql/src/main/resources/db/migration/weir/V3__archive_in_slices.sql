-- A task moves to the archive in slices, so that no call takes longer than a slice, however large the task. And a uid that is used
-- again while the archive knows it belongs to the living task: the archived one is hidden, and goes with its day.

-- True while some of the task's rows are still in the active tables; readers see them there until they have moved.
ALTER TABLE task_archived ADD COLUMN moving boolean NOT NULL DEFAULT false;
CREATE INDEX task_archived_moving ON task_archived (archived_at) WHERE moving;

-- Of one table, the rows of a task, at most so many (null: all); the newer version wins where both have a row. Gives how many left
-- the active table.
DROP FUNCTION weir_archive_rows(text, text, text, text, text, date);
CREATE FUNCTION weir_archive_rows(
  active text, archive text, key text, of_task text, task_column text, to_day date, most_rows bigint)
RETURNS bigint LANGUAGE plpgsql
-- Each slice begins behind the dead rows of the ones before, which only the index on the task skips.
SET enable_seqscan = off AS $$
DECLARE
  columns text;
  changes text;
  moved bigint;
BEGIN
  SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum),
         string_agg(format('%1$I = excluded.%1$I', attname), ', ' ORDER BY attnum)
    INTO columns, changes
    FROM pg_attribute WHERE attrelid = active::regclass AND attnum > 0 AND NOT attisdropped;
  EXECUTE format(
    'WITH gone AS (DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %6$I = $1 LIMIT $3)) RETURNING *),
     kept AS (INSERT INTO %2$I AS a (day, %3$s) SELECT $2, %3$s FROM gone
              ON CONFLICT (%4$I, day) DO UPDATE SET %5$s WHERE a.version < excluded.version)
     SELECT count(*) FROM gone',
    active, archive, columns, key, changes, task_column) INTO moved USING of_task, to_day, most_rows;
  RETURN moved;
END $$;

-- Whether the row in task_dat is not a latecomer of the archived task but a newer task of the same uid: it lives, or was accepted at
-- another time.
CREATE FUNCTION weir_archive_uid_is_used_again(of_task text, archived_day date) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM task_dat t LEFT JOIN task_arc a ON a.uid = t.uid AND a.day = archived_day
     WHERE t.uid = of_task AND NOT t.deleted AND t.version > coalesce(a.version, -1)
       AND (t.state NOT IN ('closed', 'rejected', 'failed')
         OR a.uid IS NOT NULL AND a.accepted_at IS DISTINCT FROM t.accepted_at))
$$;

-- Moves an ended task (closed, rejected, failed) with its jobs and files, at most so many rows (null: all); called again it goes on,
-- and in the end merges what has come since. Any other task is left alone. Gives how many rows left the active tables.
DROP FUNCTION weir_archive(text);
CREATE FUNCTION weir_archive(of_task text, most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  to_day date;
  moved bigint;
BEGIN
  SELECT day INTO to_day FROM task_archived WHERE uid = of_task FOR UPDATE;
  IF to_day IS NOT NULL AND weir_archive_uid_is_used_again(of_task, to_day) THEN
    DELETE FROM task_archived WHERE uid = of_task;
    RETURN 0;
  END IF;
  IF to_day IS NULL THEN
    SELECT (coalesce(closed_at, weir_version_time(version)) AT TIME ZONE 'UTC')::date INTO to_day
      FROM task_dat WHERE uid = of_task AND state IN ('closed', 'rejected', 'failed') FOR UPDATE;
    IF to_day IS NULL THEN
      RETURN 0;
    END IF;
    INSERT INTO task_archived (uid, day, moving) VALUES (of_task, to_day, true) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM weir_archive_partition(to_day);
  moved := weir_archive_rows('job_dat', 'job_arc', 'uid', of_task, 'task_uid', to_day, most_rows);
  IF most_rows IS NULL OR moved < most_rows THEN
    moved := moved + weir_archive_rows('file_dat', 'file_arc', 'id', of_task, 'task_uid', to_day, most_rows - moved);
  END IF;
  IF most_rows IS NULL OR moved < most_rows THEN
    moved := moved + weir_archive_rows('task_dat', 'task_arc', 'uid', of_task, 'uid', to_day, NULL);
    -- From now on the last hour's latecomers are looked for.
    UPDATE task_archived SET moving = false, archived_at = now() WHERE uid = of_task AND moving;
  END IF;
  RETURN moved;
END $$;

-- Merges rows that came for tasks after their move, for tasks moved since then; of a task at most so many rows. Three look-ups a task.
DROP FUNCTION weir_archive_latecomers(timestamptz);
CREATE FUNCTION weir_archive_latecomers(moved_since timestamptz, most_rows bigint DEFAULT NULL)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one text;
  tasks integer := 0;
BEGIN
  FOR one IN
    SELECT uid FROM task_archived a
     WHERE archived_at >= moved_since AND NOT moving
       AND (EXISTS (SELECT FROM task_dat t WHERE t.uid = a.uid)
         OR EXISTS (SELECT FROM job_dat j WHERE j.task_uid = a.uid)
         OR EXISTS (SELECT FROM file_dat f WHERE f.task_uid = a.uid))
  LOOP
    PERFORM weir_archive(one, most_rows);
    tasks := tasks + 1;
  END LOOP;
  RETURN tasks;
END $$;

-- To be called now and then (the mirror job: every minute, until it gives 0 or time is up): goes on with tasks that have begun to
-- move, with half of the rows at most, then begins with those that ended longer ago than the grace, which gives their last rows time
-- to arrive, until so many rows have moved. Also gives uids that are used again back to the living, merges the last hour's
-- latecomers, and forgets deleted pilots after a day. Gives the number of tasks: when it is not 0, calling again at once may find more.
CREATE OR REPLACE FUNCTION weir_archive_closed(grace interval DEFAULT '1 minute', most_rows bigint DEFAULT 100000)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one text;
  tasks integer := 0;
  moved bigint := 0;
BEGIN
  -- One at a time is enough, and two would wait for each other's rows.
  IF NOT pg_try_advisory_xact_lock(hashtext('weir_archive_closed')) THEN
    RETURN 0;
  END IF;
  FOR one IN SELECT t.uid FROM task_dat t JOIN task_archived a ON a.uid = t.uid WHERE NOT a.moving LOOP
    PERFORM weir_archive(one, most_rows);
  END LOOP;
  FOR one IN SELECT uid FROM task_archived WHERE moving ORDER BY archived_at LOOP
    moved := moved + weir_archive(one, greatest(1, most_rows / 2 - moved));
    tasks := tasks + 1;
    EXIT WHEN moved >= most_rows / 2;
  END LOOP;
  FOR one IN
    SELECT uid FROM task_dat
     WHERE state IN ('closed', 'rejected', 'failed')
       AND coalesce(closed_at, weir_version_time(version)) <= now() - grace
       AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = task_dat.uid)
     ORDER BY accepted_at
  LOOP
    EXIT WHEN moved >= most_rows;
    moved := moved + weir_archive(one, most_rows - moved);
    tasks := tasks + 1;
  END LOOP;
  PERFORM weir_archive_latecomers(now() - interval '1 hour', most_rows);
  DELETE FROM pilot_dat WHERE deleted AND weir_version_time(version) < now() - interval '1 day';
  RETURN tasks;
END $$;

-- For readers: each row once. While a task moves a row is where it has moved to, or still in the active table; what came for a task
-- after its move waits unseen. Rows in the archive without an entry there are of a task whose uid is used again. OFFSET 0 keeps the
-- planner from reading the whole archive into memory where it should look up single rows.
CREATE OR REPLACE VIEW task_all AS
  SELECT t.* FROM task_dat t
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = t.uid AND (NOT a.moving OR EXISTS (SELECT FROM task_arc r WHERE r.uid = t.uid AND r.day = a.day OFFSET 0)))
  UNION ALL
  SELECT uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid, dat_out_uid,
         dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
         jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled,
         reason, accepted_at, closed_at, version, deleted
    FROM task_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.uid AND a.day = r.day);

CREATE OR REPLACE VIEW job_all AS
  SELECT j.* FROM job_dat j
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = j.task_uid AND (NOT a.moving OR EXISTS (SELECT FROM job_arc r WHERE r.uid = j.uid AND r.day = a.day OFFSET 0)))
  UNION ALL
  SELECT uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, file_out_url,
         file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at, version, deleted
    FROM job_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.task_uid AND a.day = r.day);

CREATE OR REPLACE VIEW file_all AS
  SELECT f.* FROM file_dat f
   WHERE NOT deleted AND NOT EXISTS (
     SELECT FROM task_archived a
      WHERE a.uid = f.task_uid AND (NOT a.moving OR EXISTS (SELECT FROM file_arc r WHERE r.id = f.id AND r.day = a.day OFFSET 0)))
  UNION ALL
  SELECT id, task_uid, job_uid, attempt, dataset_uid, kind, status, path, storage_id, size, checksum, registered_at, version, deleted
    FROM file_arc r
   WHERE NOT deleted AND EXISTS (SELECT FROM task_archived a WHERE a.uid = r.task_uid AND a.day = r.day);
