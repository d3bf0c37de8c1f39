-- Soon given up, as the migration before: readers that stream a whole dataset hold the table. The next start tries again.
SET LOCAL lock_timeout = '2s';

-- The first hundred of the registered names that the check-list does not have.
ALTER TABLE dataset ADD COLUMN unexpected_names text[];
