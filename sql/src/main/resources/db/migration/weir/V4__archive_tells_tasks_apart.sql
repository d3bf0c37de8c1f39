-- A task that lives again because Weir went back to an older state is not a newer task of the same uid; two tasks of one uid that end
-- on one day stay apart; and what came late is looked for once, at a cost that follows the tasks in the active tables.

-- When the archived task was accepted: a task of the same uid that was accepted at another time is another one.
ALTER TABLE task_archived ADD COLUMN accepted_at timestamptz;
UPDATE task_archived d SET accepted_at = a.accepted_at FROM task_arc a WHERE a.uid = d.uid AND a.day = d.day;
UPDATE task_archived d SET accepted_at = t.accepted_at FROM task_dat t
 WHERE t.uid = d.uid AND d.moving AND t.state IN ('closed', 'rejected', 'failed');

-- Whether the row in task_dat is not of the archived task but of a newer one of the same uid. Where nobody knows when the archived one
-- was accepted (it was half-way when this came, and its uid is used again), one that lives is a newer one.
CREATE OR REPLACE FUNCTION weir_archive_uid_is_used_again(of_task text, archived_day date)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM task_dat t
      JOIN task_archived d ON d.uid = t.uid
      LEFT JOIN task_arc a ON a.uid = t.uid AND a.day = archived_day
     WHERE t.uid = of_task AND NOT t.deleted AND t.version > coalesce(a.version, -1)
       AND CASE WHEN d.accepted_at IS NULL THEN t.state NOT IN ('closed', 'rejected', 'failed')
                ELSE t.accepted_at IS DISTINCT FROM d.accepted_at END)
$$;

-- The day on which a task ended; where an older task of its uid lies in the archive under that day, the next one that is free.
CREATE FUNCTION weir_archive_day(of_task text, ended date) RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
  free date := ended;
BEGIN
  WHILE EXISTS (SELECT FROM task_arc WHERE uid = of_task AND day = free)
     OR EXISTS (SELECT FROM job_arc WHERE task_uid = of_task AND day = free)
     OR EXISTS (SELECT FROM file_arc WHERE task_uid = of_task AND day = free) LOOP
    free := free + 1;
  END LOOP;
  RETURN free;
END $$;

-- Moves an ended task (closed, rejected, failed) with its jobs and files, at most so many rows (null: all); called again it goes on,
-- and in the end merges what has come since, also when the task lives again after Weir went back to an older state. Any other task is
-- left alone. Gives how many rows left the active tables.
CREATE OR REPLACE FUNCTION weir_archive(of_task text, most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  to_day date;
  accepted timestamptz;
  moved bigint;
BEGIN
  SELECT day INTO to_day FROM task_archived WHERE uid = of_task FOR UPDATE;
  IF to_day IS NOT NULL AND weir_archive_uid_is_used_again(of_task, to_day) THEN
    -- Now it is a task like any other.
    DELETE FROM task_archived WHERE uid = of_task;
    to_day := NULL;
  END IF;
  IF to_day IS NULL THEN
    SELECT (coalesce(closed_at, weir_version_time(version)) AT TIME ZONE 'UTC')::date, accepted_at INTO to_day, accepted
      FROM task_dat WHERE uid = of_task AND state IN ('closed', 'rejected', 'failed') FOR UPDATE;
    IF to_day IS NULL THEN
      RETURN 0;
    END IF;
    to_day := weir_archive_day(of_task, to_day);
    INSERT INTO task_archived (uid, day, moving, accepted_at) VALUES (of_task, to_day, true, accepted) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM weir_archive_partition(to_day);
  moved := 0;
  IF EXISTS (SELECT FROM task_archived WHERE uid = of_task AND NOT moving) THEN
    -- What readers look at first, however much has come behind it.
    moved := weir_archive_rows('task_dat', 'task_arc', 'uid', of_task, 'uid', to_day, NULL);
  END IF;
  IF most_rows IS NULL OR moved < most_rows THEN
    moved := moved + weir_archive_rows('job_dat', 'job_arc', 'uid', of_task, 'task_uid', to_day, most_rows - moved);
  END IF;
  IF most_rows IS NULL OR moved < most_rows THEN
    moved := moved + weir_archive_rows('file_dat', 'file_arc', 'id', of_task, 'task_uid', to_day, most_rows - moved);
  END IF;
  IF most_rows IS NULL OR moved < most_rows THEN
    moved := moved + weir_archive_rows('task_dat', 'task_arc', 'uid', of_task, 'uid', to_day, NULL);
    UPDATE task_archived SET moving = false, archived_at = now() WHERE uid = of_task AND moving;
  END IF;
  RETURN moved;
END $$;

-- Merges rows that are in the active tables although their task is archived, at most so many (null: all), and gives uids that are used
-- again back to the living. Goes from task to task along the indexes of the active tables: three look-ups for each task that has rows
-- there, whatever the number of rows and of archived tasks. Begins at random, so that no task waits behind another for ever. Gives how
-- many rows it merged.
DROP FUNCTION weir_archive_latecomers(timestamptz, bigint);
CREATE FUNCTION weir_archive_latecomers(most_rows bigint DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql
-- Statistics make a sequential scan look short where the first row that it wants does not exist.
SET enable_seqscan = off AS $$
DECLARE
  one text;
  merged bigint := 0;
BEGIN
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

-- To be called now and then (the mirror job: every minute, until it gives 0 or time is up), each time at most about so many rows:
-- merges what came late, with a quarter of them, and gives uids that are used again back to the living; goes on with tasks that
-- have begun to move, with half of the rows; then begins with those that ended longer ago than the grace, which gives their last rows
-- time to arrive. Forgets deleted pilots after a day. Gives the number of tasks that moved, and one more when not all was merged: when
-- it is not 0, calling again at once may find more.
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
  IF weir_archive_latecomers(greatest(1, most_rows / 4)) >= greatest(1, most_rows / 4) THEN
    tasks := 1;
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

-- Drops the days before the kept ones; to be called once a day. Waits at most 5 s for readers of the archive: then an error says so,
-- nothing is dropped, and the next call does it. Gives how many days went.
CREATE OR REPLACE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  first_kept date := (now() AT TIME ZONE 'UTC')::date - keep_days;
  part text;
  dropped integer := 0;
BEGIN
  IF keep_days < 0 THEN
    RAISE EXCEPTION 'keep_days must not be negative, got %', keep_days;
  END IF;
  -- Before days go, so that what came for their tasks goes with them; weir_archive_closed has merged all but the last of it.
  PERFORM weir_archive_latecomers(100000);
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

-- Nobody looks for tasks by the time of their move any more.
DROP INDEX task_archived_at;
