-- Looking for the last start of a lane once for each row took minutes with tens of thousands of groups: the mirror job gave the daily work up,
-- and the day that it had dropped came back each time.

-- Drops limit groups that are gone for a day, after the oldest day beyond the kept ones.
CREATE OR REPLACE FUNCTION weir_archive_prune_days_and_limits(keep_days integer DEFAULT 90) RETURNS integer LANGUAGE plpgsql
SET lock_timeout = '5s' AS $$
DECLARE
  dropped integer := weir_archive_prune_days(keep_days);
BEGIN
  DELETE FROM limit_dat l
   USING (SELECT lane, max(since) AS since FROM limit_dat GROUP BY lane) newest
   WHERE newest.lane = l.lane
     AND l.version < extract(epoch FROM now() - interval '1 day') * 1000000
     AND (l.deleted OR l.since < newest.since);
  RETURN dropped;
END $$;
