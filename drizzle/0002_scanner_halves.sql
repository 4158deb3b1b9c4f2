DROP INDEX "passes_one_running";--> statement-breakpoint
ALTER TABLE "pass_decisions" ADD COLUMN "seen_seq" bigint;--> statement-breakpoint
ALTER TABLE "passes" ADD COLUMN "cloud" text;--> statement-breakpoint
ALTER TABLE "passes" ADD COLUMN "cloud_note" text;--> statement-breakpoint
ALTER TABLE "passes" ADD COLUMN "alerted" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "passes" ADD COLUMN "jobs_started" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "passes" ADD COLUMN "swept" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_ended_by_pass" ON "jobs" USING btree ("ended_by_pass_id") WHERE ended_by_pass_id is not null;--> statement-breakpoint
CREATE INDEX "pass_decisions_cluster" ON "pass_decisions" USING btree ("cluster_id","pass_id");--> statement-breakpoint
CREATE UNIQUE INDEX "passes_one_cloud_half" ON "passes" USING btree ((mode)) WHERE status = 'running' and mode = 'apply' and cloud = 'running';--> statement-breakpoint
CREATE INDEX "passes_open" ON "passes" USING btree ("id") WHERE status = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "passes_one_running" ON "passes" USING btree ((mode)) WHERE status = 'running' and mode = 'apply' and ownership_done_at is null;--> statement-breakpoint
DROP TRIGGER passes_notify ON passes;--> statement-breakpoint
CREATE TRIGGER passes_notify AFTER UPDATE OF status, ownership_done_at ON passes FOR EACH ROW EXECUTE FUNCTION holdfast_notify();
