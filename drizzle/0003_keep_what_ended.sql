-- What the tests of the schema found open (db/foreign-writes.test.ts).

-- I3: an owner, and a waiting stop, is a job of that very cluster. The references of 0001 asked only for a job.
CREATE UNIQUE INDEX jobs_of_their_cluster ON jobs (id, cluster_id);
--> statement-breakpoint
ALTER TABLE clusters DROP CONSTRAINT clusters_operation_fk;
--> statement-breakpoint
ALTER TABLE clusters DROP CONSTRAINT clusters_next_operation_fk;
--> statement-breakpoint
ALTER TABLE clusters ADD CONSTRAINT clusters_operation_fk FOREIGN KEY (operation_id, id) REFERENCES jobs (id, cluster_id)
  DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE clusters ADD CONSTRAINT clusters_next_operation_fk FOREIGN KEY (next_operation_id, id) REFERENCES jobs (id, cluster_id)
  DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint

-- I6: the words and the result of an end are part of it, and so is who ran what. Progress and late results may still be noted.
DROP TRIGGER jobs_end_once ON jobs;
--> statement-breakpoint
CREATE TRIGGER jobs_end_once BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN (OLD.finished_at IS NOT NULL
    AND (NEW.status, NEW.finished_at, NEW.reason, NEW.message, NEW.result, NEW.token, NEW.cluster_id, NEW.server_id, NEW.kind)
    IS DISTINCT FROM (OLD.status, OLD.finished_at, OLD.reason, OLD.message, OLD.result, OLD.token, OLD.cluster_id, OLD.server_id, OLD.kind))
  EXECUTE FUNCTION holdfast_finished_job();
--> statement-breakpoint

-- The audit trail cannot be emptied as a whole either.
CREATE TRIGGER events_no_truncate BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION holdfast_events_insert_only();
