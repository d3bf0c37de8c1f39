-- Rows of a large site for the benchmark of the gateway: ${tasks} tasks with ${jobs} jobs together. Every fifth task is open, half of these wait for
-- a slot and have no jobs; the others lie in the archive, under 90 days. Tasks 0 (open) and 1 (archived) have a tenth of all jobs each, tasks 2 to 21
-- a hundredth each, and all others as many as one another. Each job that ended has the row of its output; one of ten has a failed attempt before.
CREATE TABLE bench_task AS
SELECT i, 'bench-' || lpad(i::text, 6, '0') AS uid,
       CASE WHEN i < 22 THEN i % 2 = 0 ELSE i % 5 = 0 END AS open,
       i >= 22 AND i % 10 = 0 AS waits,
       CASE WHEN i % 4 = 3 THEN 'gpu' ELSE 'cpu' END AS pool,
       CASE WHEN i < 2 THEN ${jobs} / 10
            WHEN i < 22 THEN ${jobs} / 100
            WHEN i % 10 = 0 THEN 0
            ELSE ${jobs} * 6 / 10 / (${tasks} * 9 / 10 - 20) END AS jobs,
       (now() AT TIME ZONE 'UTC')::date - 1 - i / 7 % 90 AS day
  FROM generate_series(0, ${tasks} - 1) AS i;
SELECT weir_archive_partition((now() AT TIME ZONE 'UTC')::date - 1 - back) FROM generate_series(0, 89) AS back;

CREATE FUNCTION bench_tasks(are_open boolean) RETURNS SETOF task_dat LANGUAGE sql STABLE AS $$
  SELECT uid, CASE WHEN NOT open THEN CASE WHEN i % 100 = 1 THEN 'failed' ELSE 'closed' END WHEN waits THEN 'accepted' WHEN i % 20 = 5 THEN 'paused' ELSE 'active' END,
         1 + i % 100, 1 + i % 100, 1 + i % 100, pool, upper(pool), 'Map', 'sequential', 'reconstruct.sh', '--in {file_in} --out {file_out}', 3,
         'raw-' || i, 'reco-' || i, 'https://storage.example/data', 'https://storage.example/data/reco-' || i, 'user' || i % 500,
         CASE WHEN waits THEN NULL ELSE jobs END, 0, CASE WHEN open AND NOT waits THEN 20 ELSE 0 END, 0, CASE WHEN open AND NOT waits THEN 20 ELSE 0 END, 0,
         CASE WHEN waits THEN 0 WHEN open THEN jobs - 40 - jobs / 100 ELSE jobs - jobs / 100 END, jobs / 100, 0, 0, jobs / 50, 0,
         CASE WHEN waits THEN 'slot' END, CASE WHEN waits THEN 'the task waits for one of the 10000 slots of its pool' END, false,
         CASE WHEN NOT open AND i % 100 = 1 THEN 'its dataset does not exist' END,
         CASE WHEN open THEN now() ELSE day + interval '12 hours' END - i % 1000 * interval '10 seconds',
         CASE WHEN NOT open THEN day + interval '13 hours' END,
         (extract(epoch FROM now()) * 1000000)::bigint + i, false
    FROM bench_task WHERE open = are_open
$$;
CREATE FUNCTION bench_jobs(are_open boolean) RETURNS SETOF job_dat LANGUAGE sql STABLE AS $$
  SELECT t.uid || '.' || p || '.' || substr(md5(t.uid || p), 1, 16), t.uid, p,
         CASE WHEN open AND p >= jobs - 20 THEN 'Queued' WHEN open AND p >= jobs - 40 THEN 'Running' WHEN p % 100 = 50 THEN 'Failed' ELSE 'Finished' END,
         CASE WHEN p % 10 = 0 THEN 2 ELSE 1 END, CASE WHEN p % 10 = 0 THEN 1 ELSE 0 END, 0, pool, 1 + i % 100, 'node' || p % 1000 || '-' || p % 2,
         'https://storage.example/data/raw-' || i || '/run-' || p || '.raw', 'https://storage.example/data/reco-' || i || '/run-' || p || '.1.out',
         'https://storage.example/data/reco-' || i || '/run-' || p || '.1.log', CASE WHEN p % 100 = 50 THEN 3 ELSE 0 END,
         CASE WHEN p % 100 = 50 THEN 'exit' END, CASE WHEN p % 100 = 50 THEN 'exit code 3: the calibration of the run is not there' END,
         now() - interval '3 hours', now() - interval '2 hours', CASE WHEN NOT open OR p < jobs - 40 THEN now() - interval '1 hour' END,
         (extract(epoch FROM now()) * 1000000)::bigint + p, false
    FROM bench_task t, generate_series(0, t.jobs - 1) AS p WHERE open = are_open
$$;

CREATE FUNCTION bench_outputs(are_open boolean) RETURNS SETOF file_dat LANGUAGE sql STABLE AS $$
  SELECT t.uid || '.' || p || '.' || substr(md5(t.uid || p), 1, 16) || '/1/out', t.uid, t.uid || '.' || p || '.' || substr(md5(t.uid || p), 1, 16), 1,
         'reco-' || i, 'output', CASE WHEN p % 100 = 50 THEN 'Failed' ELSE 'Finished' END, '/reco-' || i || '/run-' || p || '.1.out', NULL, 123456789,
         'adler32:0a1b2c3d', now() - interval '1 hour', (extract(epoch FROM now()) * 1000000)::bigint + p, false
    FROM bench_task t, generate_series(0, t.jobs - 1) AS p WHERE open = are_open AND (NOT open OR p < jobs - 40)
$$;

INSERT INTO task_archived (uid, day, moving, accepted_at) SELECT uid, day, false, day + interval '12 hours' - i % 1000 * interval '10 seconds' FROM bench_task WHERE NOT open;
INSERT INTO task_dat SELECT * FROM bench_tasks(true);
INSERT INTO task_arc SELECT a.day, t.* FROM bench_tasks(false) t JOIN task_archived a USING (uid);
INSERT INTO job_dat SELECT * FROM bench_jobs(true);
INSERT INTO job_arc SELECT a.day, j.* FROM bench_jobs(false) j JOIN task_archived a ON a.uid = j.task_uid;
INSERT INTO file_dat SELECT * FROM bench_outputs(true);
INSERT INTO file_arc SELECT a.day, f.* FROM bench_outputs(false) f JOIN task_archived a ON a.uid = f.task_uid;
INSERT INTO attempt_dat
SELECT uid, 1, task_uid, 'Failed', pilot_id, file_log_url, 3, 'exit', 'exit code 3: the calibration of the run is not there', queued_at, started_at,
       now() - interval '2 hours', version, false
  FROM (SELECT * FROM bench_jobs(true) UNION ALL SELECT * FROM bench_jobs(false)) AS j WHERE position % 10 = 0;
INSERT INTO pilot_dat
SELECT 'node' || i / 2 || '-' || i % 2, CASE WHEN i % 4 = 3 THEN 'gpu' ELSE 'cpu' END, 'CPU', 'node' || i / 2, 8, 16000000000,
       CASE WHEN i % 50 = 0 THEN 'lost' WHEN i % 10 = 0 THEN 'idle' ELSE 'busy' END, NULL, i, i / 10, now(), NULL,
       (extract(epoch FROM now()) * 1000000)::bigint + i, false
  FROM generate_series(0, 1999) AS i;
INSERT INTO limit_dat
SELECT 'host:storage' || i || '.example', 0, 'rule', 20, NULL, NULL, i % 20, 0, i % 7, now(), (extract(epoch FROM now()) * 1000000)::bigint + i, false
  FROM generate_series(0, 999) AS i;
DROP FUNCTION bench_tasks;
DROP FUNCTION bench_jobs;
DROP FUNCTION bench_outputs;
