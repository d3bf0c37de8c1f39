-- Closed tasks leave the active tables, so that these stay as small as the work at hand. The archive is partitioned by the day (UTC)
-- on which a task closed; all rows of a task are in one day, so that dropping a day leaves nothing half.

CREATE TABLE task_arc (day date NOT NULL, LIKE task_dat INCLUDING STORAGE, PRIMARY KEY (uid, day)) PARTITION BY RANGE (day);
CREATE TABLE job_arc (day date NOT NULL, LIKE job_dat INCLUDING STORAGE, PRIMARY KEY (uid, day)) PARTITION BY RANGE (day);
CREATE TABLE file_arc (day date NOT NULL, LIKE file_dat INCLUDING STORAGE, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
-- A task's jobs and files by task; written once, by the move.
CREATE INDEX job_arc_task ON job_arc (task_uid, position);
CREATE INDEX file_arc_task ON file_arc (task_uid, kind, status);

-- Which tasks are in the archive, and where. Rows may still come for them, late or again: readers do not see such rows in the
-- active tables, and the next weir_archive_closed merges them into the archive by version.
CREATE TABLE task_archived (uid text PRIMARY KEY, day date NOT NULL, archived_at timestamptz NOT NULL DEFAULT now());
CREATE INDEX task_archived_day ON task_archived (day);
CREATE INDEX task_archived_at ON task_archived (archived_at);

-- What a deleted row's flag has to outlive: any repetition of an older version of it.
CREATE FUNCTION weir_version_time(version bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT to_timestamp(version / 1000000.0) $$;

-- Makes the day's partitions. Made aside and attached: readers of the archive are not locked out.
CREATE FUNCTION weir_archive_partition(for_day date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  part text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['task_arc', 'job_arc', 'file_arc'] LOOP
    part := parent || to_char(for_day, '_YYYYMMDD');
    IF to_regclass(part) IS NULL THEN
      PERFORM pg_advisory_xact_lock(hashtext('weir_archive_partition'));
      IF to_regclass(part) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING STORAGE)', part, parent);
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, part, for_day, for_day + 1);
      END IF;
    END IF;
  END LOOP;
END $$;

-- Moves the rows of one table that belong to a task; the newer version wins where both have a row. Gives how many it moved.
CREATE FUNCTION weir_archive_rows(active text, archive text, key text, of_task text, task_column text, to_day date)
RETURNS bigint LANGUAGE plpgsql AS $$
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
    'WITH gone AS (DELETE FROM %1$I WHERE %6$I = $1 RETURNING *)
     INSERT INTO %2$I AS a (day, %3$s) SELECT $2, %3$s FROM gone
     ON CONFLICT (%4$I, day) DO UPDATE SET %5$s WHERE a.version < excluded.version',
    active, archive, columns, key, changes, task_column) USING of_task, to_day;
  GET DIAGNOSTICS moved = ROW_COUNT;
  RETURN moved;
END $$;

-- Moves an ended task (closed, rejected, failed) with its jobs and files. Again: merges what has come since. Any other task is left
-- alone. Gives how many rows are new or newer in the archive.
CREATE FUNCTION weir_archive(of_task text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  to_day date;
  moved bigint;
BEGIN
  SELECT day INTO to_day FROM task_archived WHERE uid = of_task;
  IF to_day IS NULL THEN
    SELECT (coalesce(closed_at, weir_version_time(version)) AT TIME ZONE 'UTC')::date INTO to_day
      FROM task_dat WHERE uid = of_task AND state IN ('closed', 'rejected', 'failed') FOR UPDATE;
    IF to_day IS NULL THEN
      RETURN 0;
    END IF;
  END IF;
  PERFORM weir_archive_partition(to_day);
  INSERT INTO task_archived (uid, day) VALUES (of_task, to_day) ON CONFLICT DO NOTHING;
  moved := weir_archive_rows('job_dat', 'job_arc', 'uid', of_task, 'task_uid', to_day)
         + weir_archive_rows('file_dat', 'file_arc', 'id', of_task, 'task_uid', to_day)
         + weir_archive_rows('task_dat', 'task_arc', 'uid', of_task, 'uid', to_day);
  RETURN moved;
END $$;

-- Merges rows that came for tasks after their move, for tasks moved since then. Three look-ups a task.
CREATE FUNCTION weir_archive_latecomers(moved_since timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one text;
  tasks integer := 0;
BEGIN
  FOR one IN
    SELECT uid FROM task_archived a
     WHERE archived_at >= moved_since
       AND (EXISTS (SELECT FROM task_dat t WHERE t.uid = a.uid)
         OR EXISTS (SELECT FROM job_dat j WHERE j.task_uid = a.uid)
         OR EXISTS (SELECT FROM file_dat f WHERE f.task_uid = a.uid))
  LOOP
    PERFORM weir_archive(one);
    tasks := tasks + 1;
  END LOOP;
  RETURN tasks;
END $$;

-- To be called now and then (the mirror job: every minute): archives tasks that ended longer ago than the grace, which gives their
-- last rows time to arrive, until so many rows have moved (at least one task); merges the last hour's latecomers; forgets
-- deleted rows after a day. Gives the number of tasks: when it is not 0, calling again at once may find more.
CREATE FUNCTION weir_archive_closed(grace interval DEFAULT '1 minute', most_rows bigint DEFAULT 100000)
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
  FOR one IN
    SELECT uid FROM task_dat
     WHERE state IN ('closed', 'rejected', 'failed')
       AND coalesce(closed_at, weir_version_time(version)) <= now() - grace
       AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = task_dat.uid)
     ORDER BY accepted_at
  LOOP
    moved := moved + weir_archive(one);
    tasks := tasks + 1;
    EXIT WHEN moved >= most_rows;
  END LOOP;
  PERFORM weir_archive_latecomers(now() - interval '1 hour');
  DELETE FROM pilot_dat WHERE deleted AND weir_version_time(version) < now() - interval '1 day';
  RETURN tasks;
END $$;

-- Drops the days before the kept ones; to be called once a day. Waits at most 5 s for readers of the archive: then an error says so,
-- nothing is dropped, and the next call does it. Gives how many days went.
CREATE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  first_kept date := (now() AT TIME ZONE 'UTC')::date - keep_days;
  part text;
  dropped integer := 0;
BEGIN
  IF keep_days < 0 THEN
    RAISE EXCEPTION 'keep_days must not be negative, got %', keep_days;
  END IF;
  -- Before days go, so that what came for their tasks goes with them.
  PERFORM weir_archive_latecomers('-infinity');
  FOR part IN
    SELECT c.relname FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent IN ('task_arc'::regclass, 'job_arc'::regclass, 'file_arc'::regclass)
       AND CASE WHEN c.relname ~ '_arc_[0-9]{8}$' THEN to_date(right(c.relname, 8), 'YYYYMMDD') < first_kept END
     ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + CASE WHEN part LIKE 'task_arc%' THEN 1 ELSE 0 END;
  END LOOP;
  DELETE FROM task_archived WHERE day < first_kept;
  RETURN dropped;
END $$;

-- For readers: what is active and what is archived, without what is deleted, each row once.
CREATE VIEW task_all AS
  SELECT t.* FROM task_dat t WHERE NOT deleted AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = t.uid)
  UNION ALL
  SELECT uid, state, rank, base_rank, weight, pool, device_type, mode, "order", executable, args, retry, dat_in_uid, dat_out_uid,
         dat_stor_url, dat_out_url, owner, jobs_total, jobs_waiting, jobs_queued, jobs_starting, jobs_running, jobs_cooling,
         jobs_finished, jobs_failed, jobs_killed, jobs_cancelled, jobs_retries, jobs_system_retries, why, why_text, canceled,
         reason, accepted_at, closed_at, version, deleted
    FROM task_arc WHERE NOT deleted;

CREATE VIEW job_all AS
  SELECT j.* FROM job_dat j WHERE NOT deleted AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = j.task_uid)
  UNION ALL
  SELECT uid, task_uid, position, status, attempt, retries, system_retries, pool, rank, pilot_id, file_in_url, file_out_url,
         file_log_url, exit_code, error_type, error_message, queued_at, started_at, ended_at, version, deleted
    FROM job_arc WHERE NOT deleted;

CREATE VIEW file_all AS
  SELECT f.* FROM file_dat f WHERE NOT deleted AND NOT EXISTS (SELECT FROM task_archived a WHERE a.uid = f.task_uid)
  UNION ALL
  SELECT id, task_uid, job_uid, attempt, dataset_uid, kind, status, path, storage_id, size, checksum, registered_at, version, deleted
    FROM file_arc WHERE NOT deleted;

CREATE VIEW pilot_all AS SELECT * FROM pilot_dat WHERE NOT deleted;
