-- Weir may have forgotten a pilot without a word: after a start with older or no state, or where the database is a restored one. It would be idle or
-- busy here for ever.

-- What is left for once a day: days, limits, and pilots a day after their last report, whatever they were then, unless they are kept out.
CREATE OR REPLACE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days_and_limits(keep_days);
BEGIN
  DELETE FROM pilot_dat
   WHERE kept_out IS NULL AND coalesce(last_seen_at, weir_version_time(version)) < now() - interval '1 day';
  RETURN dropped;
END $$;

-- Drops the oldest day before the kept ones, and writes hardly anything, so that it also works where there is no room left. To be called until it
-- gives 0: a day by itself is done in time, and ninety together may never be. What came late for its tasks and was not merged goes with them:
-- nothing would look for it any more. That is looked for first, since from the drop to its end no one can read the archive. Waits at most 5 s for
-- readers of the archive: then an error says so, nothing is dropped, and the next call does it. Gives how many days went.
CREATE OR REPLACE FUNCTION weir_archive_prune_days(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s'
-- Statistics make a sequential scan look short where the task has no row.
SET enable_seqscan = off AS $$
DECLARE
  first_kept date := (now() AT TIME ZONE 'UTC')::date - keep_days;
  oldest date;
  one text;
  part text;
BEGIN
  IF keep_days < 0 THEN
    RAISE EXCEPTION 'keep_days must not be negative, got %', keep_days;
  END IF;
  SELECT min(day) INTO oldest FROM weir_archive_parts() WHERE day < first_kept;
  FOR one IN
    SELECT uid FROM task_archived a WHERE day = oldest AND NOT EXISTS (SELECT FROM task_dat t WHERE t.uid = a.uid)
  LOOP
    -- Task by task: a join reads the whole of these tables.
    DELETE FROM job_dat WHERE task_uid = one;
    DELETE FROM file_dat WHERE task_uid = one;
  END LOOP;
  DELETE FROM task_archived WHERE day < first_kept AND (oldest IS NULL OR day <= oldest);
  FOR part IN SELECT name FROM weir_archive_parts() WHERE day = oldest ORDER BY name LOOP
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;
  RETURN CASE WHEN oldest IS NULL THEN 0 ELSE 1 END;
END $$;
