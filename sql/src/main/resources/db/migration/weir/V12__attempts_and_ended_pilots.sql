-- Attempts that have ended without their jobs having finished, each with its pilot, times and error: the row of a job shows its newest attempt only.
CREATE TABLE attempt_dat (
  job_uid       text NOT NULL,
  attempt       integer NOT NULL,
  task_uid      text NOT NULL,
  status        text NOT NULL,
  pilot_id      text,
  file_log_url  text,
  exit_code     integer,
  error_type    text,
  error_message text,
  queued_at     timestamptz,
  started_at    timestamptz,
  ended_at      timestamptz NOT NULL,
  version       bigint NOT NULL,
  deleted       boolean NOT NULL,
  PRIMARY KEY (job_uid, attempt)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.05);

CREATE VIEW attempt_all AS SELECT * FROM attempt_dat WHERE NOT deleted;

-- By order of an operator. Of some pilots only that is known, or was.
ALTER TABLE pilot_dat ADD COLUMN kept_out text;
CREATE OR REPLACE VIEW pilot_all AS SELECT * FROM pilot_dat WHERE NOT deleted AND (state IS NOT NULL OR kept_out IS NOT NULL);

-- Failures may be many: the daily work forgets them after thirty days, or with the days that it drops if those are fewer. It also
-- forgets pilots a day after their last report, unless they are kept out: batch systems start new ones under new names all the time.
ALTER FUNCTION weir_archive_prune(integer) RENAME TO weir_archive_prune_days_limits_and_commands;
CREATE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days_limits_and_commands(keep_days);
BEGIN
  DELETE FROM attempt_dat WHERE version < extract(epoch FROM now() - make_interval(days => least(keep_days, 30))) * 1000000;
  DELETE FROM pilot_dat WHERE coalesce(state, 'lost') IN ('lost', 'ended') AND kept_out IS NULL
    AND coalesce(last_seen_at, weir_version_time(version)) < now() - interval '1 day';
  RETURN dropped;
END $$;
