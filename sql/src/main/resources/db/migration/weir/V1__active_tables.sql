-- What readers see of the scheduler: written by the mirror job only, never read by the scheduler.
-- Rows are upserted by version, so they may arrive twice and in any order. Columns are those of the protocol's rows; the counts of a
-- task have the prefix jobs_. Enumerations are text as on the wire: the writer has checked them already.
-- What each index costs is measured in docs/DATABASE.md; the short form stands beside each.

CREATE TABLE task_dat (
  uid                 text PRIMARY KEY,
  state               text NOT NULL,
  rank                double precision NOT NULL,
  base_rank           double precision NOT NULL,
  weight              integer NOT NULL,
  pool                text,
  device_type         text,
  mode                text,
  "order"             text,
  executable          text,
  args                text,
  retry               integer NOT NULL,
  dat_in_uid          text,
  dat_out_uid         text,
  dat_stor_url        text,
  dat_out_url         text,
  owner               text,
  jobs_total          bigint,
  jobs_waiting        bigint,
  jobs_queued         bigint NOT NULL,
  jobs_starting       bigint NOT NULL,
  jobs_running        bigint NOT NULL,
  jobs_cooling        bigint NOT NULL,
  jobs_finished       bigint NOT NULL,
  jobs_failed         bigint NOT NULL,
  jobs_killed         bigint NOT NULL,
  jobs_cancelled      bigint NOT NULL,
  jobs_retries        bigint NOT NULL,
  jobs_system_retries bigint NOT NULL,
  why                 text,
  why_text            text,
  canceled            boolean NOT NULL,
  reason              text,
  accepted_at         timestamptz,
  closed_at           timestamptz,
  version             bigint NOT NULL,
  deleted             boolean NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- Half-empty pages: counts change with every job, and a change that stays on its page (HOT) touches no index.

-- GET /task?state=&after= and the archive's search for ended tasks. Changes only when a task changes its state: a few times in its life.
CREATE INDEX task_dat_state ON task_dat (state, accepted_at, uid);
-- An output dataset belongs to one task: who writes it? Never changes.
CREATE INDEX task_dat_out ON task_dat (dat_out_uid);

CREATE TABLE job_dat (
  uid            text PRIMARY KEY,
  task_uid       text NOT NULL,
  position       bigint NOT NULL,
  status         text NOT NULL,
  attempt        integer NOT NULL,
  retries        integer NOT NULL,
  system_retries integer NOT NULL,
  pool           text,
  rank           double precision NOT NULL,
  pilot_id       text,
  file_in_url    text,
  file_out_url   text,
  file_log_url   text,
  exit_code      integer,
  error_type     text,
  error_message  text,
  queued_at      timestamptz,
  started_at     timestamptz,
  ended_at       timestamptz,
  version        bigint NOT NULL,
  deleted        boolean NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- A task's jobs in order, for lists, for counting them by status and for moving them to the archive.
-- Neither column ever changes: an update of the status stays HOT. An index on status would end that for every update of every
-- job; the summaries need none, because the task's row carries the counts.
CREATE INDEX job_dat_task ON job_dat (task_uid, position);

CREATE TABLE pilot_dat (
  pilot_id        text PRIMARY KEY,
  pool            text,
  device          text,
  host            text,
  cores           integer,
  memory          bigint,
  state           text,
  job_uid         text,
  finished        bigint NOT NULL,
  failed          bigint NOT NULL,
  last_seen_at    timestamptz,
  set_aside_until timestamptz,
  version         bigint NOT NULL,
  deleted         boolean NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
-- No index beside the key: thousands of rows at most, each changed by every heartbeat.

CREATE TABLE file_dat (
  id            text PRIMARY KEY,
  task_uid      text NOT NULL,
  job_uid       text NOT NULL,
  attempt       integer NOT NULL,
  dataset_uid   text,
  kind          text NOT NULL,
  status        text NOT NULL,
  path          text,
  storage_id    text,
  size          bigint,
  checksum      text,
  registered_at timestamptz,
  version       bigint NOT NULL,
  deleted       boolean NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- Summaries of a task's files, its list of outputs, its move to the archive. A file is written once or twice: HOT matters less.
CREATE INDEX file_dat_task ON file_dat (task_uid, kind, status);
-- What did this job leave behind?
CREATE INDEX file_dat_job ON file_dat (job_uid);
-- What is missing is rare, and what one looks for: costs next to nothing while it is.
CREATE INDEX file_dat_failed ON file_dat (dataset_uid) WHERE status = 'Failed';
