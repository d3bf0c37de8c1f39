-- Apart from what takes long, and soon given up: this waits for readers that stream a whole dataset, and all others wait behind it. The next start tries
-- again.
SET LOCAL lock_timeout = '2s';

-- Entries that came or were replaced, and names of the check-list that others replaced, since the list was compared last.
ALTER TABLE dataset ADD COLUMN changes bigint NOT NULL DEFAULT 0;
