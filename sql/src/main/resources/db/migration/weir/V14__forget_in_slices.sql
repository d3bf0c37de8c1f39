-- Attempts that failed may be tens of millions: they are forgotten in slices, the oldest first, so that no call reads the whole table.
-- Commands too. Both are written once, so the indexes cost little.
CREATE INDEX attempt_dat_age ON attempt_dat (version);
CREATE INDEX command_dat_age ON command_dat (version);

-- Forgets attempts after thirty days and commands after the kept days, or both with these if they are fewer: at most so many rows of each.
-- Gives how many rows went; none means that nothing old is left.
CREATE FUNCTION weir_forget(keep_days integer DEFAULT 90, most_rows integer DEFAULT 100000) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  -- Whole numbers, or the indexes would not serve.
  first_attempt bigint := extract(epoch FROM now() - make_interval(days => least(keep_days, 30))) * 1000000;
  first_command bigint := extract(epoch FROM now() - make_interval(days => keep_days)) * 1000000;
  attempts integer;
  commands integer;
BEGIN
  IF keep_days < 0 THEN
    RAISE EXCEPTION 'keep_days must not be negative, got %', keep_days;
  END IF;
  DELETE FROM attempt_dat WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM attempt_dat WHERE version < first_attempt ORDER BY version LIMIT most_rows));
  GET DIAGNOSTICS attempts = ROW_COUNT;
  DELETE FROM command_dat WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM command_dat WHERE version < first_command ORDER BY version LIMIT most_rows));
  GET DIAGNOSTICS commands = ROW_COUNT;
  RETURN attempts + commands;
END $$;

-- What is left for once a day: days, limits, and pilots a day after their last report, unless they are kept out.
CREATE OR REPLACE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days_and_limits(keep_days);
BEGIN
  DELETE FROM pilot_dat WHERE coalesce(state, 'lost') IN ('lost', 'ended') AND kept_out IS NULL
    AND coalesce(last_seen_at, weir_version_time(version)) < now() - interval '1 day';
  RETURN dropped;
END $$;
DROP FUNCTION weir_archive_prune_days_limits_and_commands(integer);
