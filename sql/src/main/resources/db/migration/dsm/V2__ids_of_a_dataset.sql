-- An id is known in its dataset only: a task that is sent again under its uid, with another output dataset, uses its ids again. With the place of the
-- entry, so that an id that tells another file replaces it. What was registered before has none: an id from then is a repetition, whatever it tells.
ALTER TABLE registration ADD COLUMN type text, ADD COLUMN position bigint;   -- file | log, and of the entry

-- Costs one sort of the table, once, at the first start: 3 million ids took 27 s on two busy cores. The table is locked from the first statement, for
-- registrations, which wait in their queue; readers of another DSM go on. No other table is locked: whoever waits for this one may hold any.
CREATE UNIQUE INDEX registration_of_dataset ON registration (dataset_uid, id);
ALTER TABLE registration DROP CONSTRAINT registration_pkey, ADD CONSTRAINT registration_pkey PRIMARY KEY USING INDEX registration_of_dataset;
