-- Limit groups: a row for each lane that knows the group. Its limits are the whole ones, its counts are the lane's.
CREATE TABLE limit_dat (
  "group"       text NOT NULL,
  lane          bigint NOT NULL,
  source        text,
  max_in_flight integer,
  max_starts    integer,
  window_s      double precision,
  in_flight     bigint NOT NULL,
  starts        bigint NOT NULL,
  waiting       bigint NOT NULL,
  since         timestamptz,
  version       bigint NOT NULL,
  deleted       boolean NOT NULL,
  PRIMARY KEY ("group", lane)
) WITH (fillfactor = 50);
-- Counts change once a second, and a change that stays on its page (HOT) touches no index.

-- What a lane showed before its last start does not hold any more.
CREATE VIEW limit_all AS
  SELECT l."group", max(l.source) AS source, max(l.max_in_flight) AS max_in_flight, max(l.max_starts) AS max_starts,
         max(l.window_s) AS window_s, sum(l.in_flight)::bigint AS in_flight, sum(l.starts)::bigint AS starts,
         sum(l.waiting)::bigint AS waiting, max(l.version) AS version
    FROM limit_dat l
    JOIN (SELECT lane, max(since) AS since FROM limit_dat GROUP BY lane) newest ON newest.lane = l.lane AND newest.since = l.since
   WHERE NOT l.deleted
   GROUP BY l."group";

-- The daily work drops groups that are gone for a day, too.
ALTER FUNCTION weir_archive_prune(integer) RENAME TO weir_archive_prune_days;
CREATE FUNCTION weir_archive_prune(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days(keep_days);
BEGIN
  DELETE FROM limit_dat l
   WHERE l.version < extract(epoch FROM now() - interval '1 day') * 1000000
     AND (l.deleted OR l.since < (SELECT max(n.since) FROM limit_dat n WHERE n.lane = l.lane));
  RETURN dropped;
END $$;
