-- Looking for what came late costs three look-ups for each task that has rows in the active tables: seconds with hundreds of thousands of them. As part
-- of each slice that time stopped the archive, so it is a call of its own.

-- Merges rows that are in the active tables although their task is archived, at most so many (null: all), and gives uids that are used
-- again back to the living. To be called now and then, before weir_archive_closed (the mirror job: every minute, once). Begins at random, so
-- that no task waits behind another for ever. Gives how many rows it merged.
CREATE OR REPLACE FUNCTION weir_archive_latecomers(most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
-- Statistics make a sequential scan look short where the first row that it wants does not exist.
SET enable_seqscan = off AS $$
DECLARE
  one text;
  merged bigint := 0;
BEGIN
  -- This and weir_archive_closed, one at a time: two would wait for each other's rows.
  IF NOT pg_try_advisory_xact_lock(hashtext('weir_archive_closed')) THEN
    RETURN 0;
  END IF;
  FOR one IN
    WITH RECURSIVE of_jobs AS (
      SELECT min(task_uid) AS uid FROM job_dat
      UNION ALL
      SELECT (SELECT min(task_uid) FROM job_dat WHERE task_uid > o.uid) FROM of_jobs o WHERE o.uid IS NOT NULL
    ), of_files AS (
      SELECT min(task_uid) AS uid FROM file_dat
      UNION ALL
      SELECT (SELECT min(task_uid) FROM file_dat WHERE task_uid > o.uid) FROM of_files o WHERE o.uid IS NOT NULL
    )
    SELECT uid FROM (SELECT uid FROM of_jobs UNION SELECT uid FROM of_files UNION SELECT uid FROM task_dat) present
     WHERE EXISTS (SELECT FROM task_archived a WHERE a.uid = present.uid AND NOT a.moving)
     ORDER BY random()
  LOOP
    merged := merged + weir_archive(one, most_rows - merged);
    EXIT WHEN merged >= most_rows;
  END LOOP;
  RETURN merged;
END $$;

-- To be called now and then (the mirror job: every minute, until it gives 0 or time is up), each time at most about so many rows: goes on
-- with tasks that have begun to move, with half of the rows; then begins with those that ended longer ago than the grace, which gives their
-- last rows time to arrive. Forgets deleted pilots after a day. Gives the number of tasks that moved: when it is not 0, calling again at
-- once may find more.
CREATE OR REPLACE FUNCTION weir_archive_closed(grace interval DEFAULT '1 minute', most_rows bigint DEFAULT 100000)
RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  one text;
  tasks integer := 0;
  moved bigint := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('weir_archive_closed')) THEN
    RETURN 0;
  END IF;
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
  DELETE FROM pilot_dat WHERE deleted AND weir_version_time(version) < now() - interval '1 day';
  RETURN tasks;
END $$;

-- Drops the oldest day before the kept ones, and writes hardly anything, so that it also works where there is no room left. To be called until it
-- gives 0: a day by itself is done in time, and ninety together may never be. What came late for its tasks and was not merged goes with them:
-- nothing would look for it any more. Waits at most 5 s for readers of the archive: then an error says so, nothing is dropped, and the
-- next call does it. Gives how many days went.
CREATE OR REPLACE FUNCTION weir_archive_prune_days(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  first_kept date := (now() AT TIME ZONE 'UTC')::date - keep_days;
  oldest date;
  part text;
BEGIN
  IF keep_days < 0 THEN
    RAISE EXCEPTION 'keep_days must not be negative, got %', keep_days;
  END IF;
  SELECT min(day) INTO oldest FROM weir_archive_parts() WHERE day < first_kept;
  FOR part IN SELECT name FROM weir_archive_parts() WHERE day = oldest ORDER BY name LOOP
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;
  DELETE FROM job_dat j USING task_archived a
   WHERE a.day = oldest AND j.task_uid = a.uid AND NOT EXISTS (SELECT FROM task_dat t WHERE t.uid = a.uid);
  DELETE FROM file_dat f USING task_archived a
   WHERE a.day = oldest AND f.task_uid = a.uid AND NOT EXISTS (SELECT FROM task_dat t WHERE t.uid = a.uid);
  DELETE FROM task_archived WHERE day < first_kept AND (oldest IS NULL OR day <= oldest);
  RETURN CASE WHEN oldest IS NULL THEN 0 ELSE 1 END;
END $$;

-- The tables of the archive that hold a day each.
CREATE FUNCTION weir_archive_parts() RETURNS TABLE (name text, day date) LANGUAGE sql STABLE AS $$
  SELECT c.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent IN ('task_arc'::regclass, 'job_arc'::regclass, 'file_arc'::regclass)
     AND c.relname ~ '_arc_[0-9]{8}$'
$$;
