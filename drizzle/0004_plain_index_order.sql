DROP INDEX "passes_newest";--> statement-breakpoint
DROP INDEX "clusters_created";--> statement-breakpoint
DROP INDEX "transitions_at";--> statement-breakpoint
DROP INDEX "jobs_of_cluster";--> statement-breakpoint
DROP INDEX "jobs_newest";--> statement-breakpoint
DROP INDEX "events_cluster";--> statement-breakpoint
DROP INDEX "events_job";--> statement-breakpoint
DROP INDEX "events_type";--> statement-breakpoint
DROP INDEX "servers_name";--> statement-breakpoint
CREATE INDEX "clusters_created" ON "clusters" USING btree ("created_at","id") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "transitions_at" ON "transitions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "jobs_of_cluster" ON "jobs" USING btree ("cluster_id","accepted_at","id");--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("accepted_at","id");--> statement-breakpoint
CREATE INDEX "events_cluster" ON "events" USING btree ("cluster_id","id");--> statement-breakpoint
CREATE INDEX "events_job" ON "events" USING btree ("job_id","id");--> statement-breakpoint
CREATE INDEX "events_type" ON "events" USING btree ("type","id");--> statement-breakpoint
CREATE INDEX "servers_name" ON "servers" USING btree ("name","started_at");