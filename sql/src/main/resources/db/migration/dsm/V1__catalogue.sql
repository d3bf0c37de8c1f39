-- The reference DSM's catalogue. Datasets come from directories or lists (open = false) or grow by registrations until their close.

CREATE TABLE storage (
  id  text PRIMARY KEY,
  url text NOT NULL
);

CREATE TABLE dataset (
  uid           text PRIMARY KEY,
  state         text NOT NULL DEFAULT 'open',   -- open | closed | mismatch
  files         bigint NOT NULL DEFAULT 0,      -- entries of type file: the total of a page costs no count
  logs          bigint NOT NULL DEFAULT 0,
  parts         integer,                        -- of the closing check-list; null until one has come
  missing       bigint,                         -- names in the check-list that were never registered
  unexpected    bigint,                         -- registered names that the check-list does not hold
  missing_names text[],                         -- the first hundred of the missing
  created_at    timestamptz NOT NULL DEFAULT now(),
  closed_at     timestamptz
);

-- In the order of registration: position is the stable order of pages, per dataset and type, and never changes.
-- The key finds a page by its first position, whatever the offset: no OFFSET scan.
CREATE TABLE entry (
  dataset_uid text NOT NULL,
  type        text NOT NULL,                    -- file | log
  position    bigint NOT NULL,
  name        text NOT NULL,
  storage_url text NOT NULL,
  path        text NOT NULL,
  size        bigint,
  checksum    text,
  job_uid     text,
  PRIMARY KEY (dataset_uid, type, position)
);

-- Ids of registrations that were taken: the same id again is ignored. Kept until the dataset is removed.
CREATE TABLE registration (
  id          text PRIMARY KEY,
  dataset_uid text NOT NULL
);

-- Parts of check-lists as they arrive, in any order.
CREATE TABLE check_part (
  dataset_uid text NOT NULL,
  part        integer NOT NULL,
  names       text[] NOT NULL,
  PRIMARY KEY (dataset_uid, part)
);
