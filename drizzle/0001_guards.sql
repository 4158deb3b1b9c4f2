-- What drizzle's schema cannot say: deferrable references, the trigger that sees foreign writes, guards on finished jobs
-- and on the audit trail, and the notifications that keep pages live.

-- An entry writes the cluster row before its job row; the reference is checked when the transaction commits.
-- RESTRICT by nature: a job that a cluster names cannot be pruned (I7).
ALTER TABLE clusters ADD CONSTRAINT clusters_operation_fk FOREIGN KEY (operation_id) REFERENCES jobs (id) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE clusters ADD CONSTRAINT clusters_next_operation_fk FOREIGN KEY (next_operation_id) REFERENCES jobs (id) DEFERRABLE INITIALLY DEFERRED;
--> statement-breakpoint
ALTER TABLE clusters SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE jobs SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE servers SET (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX clusters_operation ON clusters (operation_id) WHERE operation_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX clusters_next_operation ON clusters (next_operation_id) WHERE next_operation_id IS NOT NULL;
--> statement-breakpoint

-- Foreign writes (design section 5): a state that changed while token and owner did not was written by something that knows
-- neither: an older server or a hand. It takes the next token, so that whoever held the cluster has lost it.
CREATE FUNCTION holdfast_foreign_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.operation_seq := OLD.operation_seq + 1;
  NEW.transition_seq := OLD.transition_seq + 1;
  NEW.operation_id := NULL;
  NEW.next_operation_id := NULL;
  NEW.foreign_write_at := clock_timestamp();
  NEW.state_since := clock_timestamp();
  NEW.attention := jsonb_build_object('code', 'foreign-write', 'jobId', OLD.operation_id, 'at', to_jsonb(clock_timestamp()),
    'text', format('Its state was changed from %s to %s by an unknown writer (an older server, or by hand).', OLD.state, NEW.state));
  UPDATE jobs SET status = 'failed', finished_at = clock_timestamp(), reason = 'foreign-write',
    message = format('The cluster was changed from %s to %s by an unknown writer while this job held it.', OLD.state, NEW.state)
    WHERE id = OLD.operation_id AND status = 'in_progress';
  UPDATE jobs SET status = 'cancelled', finished_at = clock_timestamp(), reason = 'foreign-write',
    message = 'The cluster was changed by an unknown writer while this stop waited.'
    WHERE id = OLD.next_operation_id AND status = 'waiting';
  INSERT INTO transitions (cluster_id, seq, job_id, token, from_state, to_state, cause, reason)
    VALUES (NEW.id, NEW.transition_seq, NULL, NEW.operation_seq, OLD.state, NEW.state, 'foreign', 'changed by an unknown writer');
  INSERT INTO events (type, result, cluster_id, cluster_name, job_id, actor_kind, actor_id, actor_name, summary)
    VALUES ('cluster.foreign-write', 'ok', NEW.id, NEW.name, OLD.operation_id, 'unknown', 'unknown', 'unknown writer',
      format('%s was changed from %s to %s by an unknown writer', NEW.name, OLD.state, NEW.state));
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER clusters_foreign_write BEFORE UPDATE ON clusters FOR EACH ROW
  WHEN (OLD.state IS DISTINCT FROM NEW.state AND OLD.operation_seq = NEW.operation_seq AND OLD.operation_id IS NOT DISTINCT FROM NEW.operation_id)
  EXECUTE FUNCTION holdfast_foreign_write();
--> statement-breakpoint

-- I6: a job ends exactly once and its end never changes.
CREATE FUNCTION holdfast_finished_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'job % has ended as % and never changes again', OLD.id, OLD.status USING ERRCODE = 'check_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_end_once BEFORE UPDATE ON jobs FOR EACH ROW
  WHEN (OLD.finished_at IS NOT NULL AND (NEW.status, NEW.finished_at, NEW.reason, NEW.token, NEW.cluster_id)
    IS DISTINCT FROM (OLD.status, OLD.finished_at, OLD.reason, OLD.token, OLD.cluster_id))
  EXECUTE FUNCTION holdfast_finished_job();
--> statement-breakpoint

-- The audit trail is insert only; pruning says so in its transaction.
CREATE FUNCTION holdfast_events_insert_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('holdfast.pruning', true), '') <> 'on' THEN
    RAISE EXCEPTION 'events are insert only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN OLD;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_insert_only BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION holdfast_events_insert_only();
--> statement-breakpoint

-- What changed is said in the transaction that changed it. Payloads are ids only: readers fetch again.
CREATE FUNCTION holdfast_notify() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'clusters' THEN
    PERFORM pg_notify('holdfast', 'cluster ' || NEW.id);
  ELSIF TG_TABLE_NAME = 'jobs' THEN
    PERFORM pg_notify('holdfast', 'job ' || NEW.id || coalesce(' ' || NEW.cluster_id, ''));
  ELSIF TG_TABLE_NAME = 'servers' THEN
    PERFORM pg_notify('holdfast', 'server ' || NEW.id);
  ELSIF TG_TABLE_NAME = 'passes' THEN
    PERFORM pg_notify('holdfast', 'pass ' || NEW.id);
  ELSIF TG_TABLE_NAME = 'events' THEN
    PERFORM pg_notify('holdfast', 'event' || coalesce(' ' || NEW.cluster_id, ''));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER clusters_notify_insert AFTER INSERT ON clusters FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER clusters_notify AFTER UPDATE ON clusters FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER jobs_notify_insert AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER jobs_notify AFTER UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER servers_notify_insert AFTER INSERT ON servers FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER servers_notify AFTER UPDATE OF state ON servers FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER passes_notify_insert AFTER INSERT ON passes FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER passes_notify AFTER UPDATE OF status ON passes FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
--> statement-breakpoint
CREATE TRIGGER events_notify AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
