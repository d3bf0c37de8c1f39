-- What a pilot has measured of its node.
ALTER TABLE pilot_dat ADD COLUMN gpus integer;
CREATE OR REPLACE VIEW pilot_all AS SELECT * FROM pilot_dat WHERE NOT deleted;

-- Commands about tasks, each with what came of it.
CREATE TABLE command_dat (
  id         text PRIMARY KEY,
  task_uid   text NOT NULL,
  type       text NOT NULL,
  rank       double precision,
  position   bigint,
  priority   integer,
  by         text,
  given_at   timestamptz NOT NULL,
  outcome    text NOT NULL,
  reason     text,
  decided_at timestamptz NOT NULL,
  version    bigint NOT NULL,
  deleted    boolean NOT NULL
);

-- The commands of a task, the newest first. A command is written once, so the index costs little.
CREATE INDEX command_dat_task ON command_dat (task_uid, decided_at, id);

CREATE VIEW command_all AS SELECT * FROM command_dat WHERE NOT deleted;

-- The daily work forgets commands as old as the days that it drops.
ALTER FUNCTION weir_archive_prune(integer) RENAME TO weir_archive_prune_days_and_limits;
CREATE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days_and_limits(keep_days);
BEGIN
  DELETE FROM command_dat WHERE version < extract(epoch FROM now() - make_interval(days => keep_days)) * 1000000;
  RETURN dropped;
END $$;
