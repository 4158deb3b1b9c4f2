-- Whoever ends a job (its worker, a pass, an admin, a foreign write), its steps end with it: none goes on ticking.
CREATE FUNCTION holdfast_end_steps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE job_steps SET status = 'stopped', ended_at = clock_timestamp(), error = coalesce(error, 'The job ended while this step ran.')
    WHERE job_id = NEW.id AND status = 'running';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_end_steps AFTER UPDATE OF finished_at ON jobs FOR EACH ROW
  WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION holdfast_end_steps();
