CREATE TYPE "public"."cluster_event" AS ENUM('StartRequested', 'StopRequested', 'DestroyRequested', 'RecoveryRequested', 'AutoscaleRequested', 'ScaleUpRequested', 'ScaleDownRequested', 'AddNodeRequested', 'RemoveNodeRequested', 'UpgradeRequested', 'OperationSucceeded', 'OperationFailed', 'CreateFailed', 'FaultsDetected');--> statement-breakpoint
CREATE TYPE "public"."cluster_state" AS ENUM('Created', 'Starting', 'Running', 'Stopping', 'Stopped', 'Scaling', 'ScalingStoppedCluster', 'Upgrading', 'Importing', 'RemovingNodes', 'Alert', 'Recovering', 'Destroying', 'Destroyed', 'Error');--> statement-breakpoint
CREATE TYPE "public"."job_status" AS ENUM('in_progress', 'waiting', 'succeeded', 'failed', 'cancelled');--> statement-breakpoint
CREATE TYPE "public"."server_state" AS ENUM('up', 'draining', 'departed');--> statement-breakpoint
CREATE TYPE "public"."step_status" AS ENUM('running', 'done', 'failed', 'skipped', 'stopped');--> statement-breakpoint
CREATE TYPE "public"."transition_cause" AS ENUM('create', 'entry', 'end', 'recovery', 'hand-over', 'drift', 'admin-end', 'foreign');--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"role" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL,
	CONSTRAINT "rate_limits_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"impersonated_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "setup_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "user_preferences" (
	"user_id" text PRIMARY KEY NOT NULL,
	"value" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"role" text DEFAULT 'viewer' NOT NULL,
	"banned" boolean DEFAULT false NOT NULL,
	"ban_reason" text,
	"ban_expires" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cluster_components" (
	"cluster_id" uuid NOT NULL,
	"component" text NOT NULL,
	"wanted" boolean NOT NULL,
	"installed_at" timestamp with time zone,
	CONSTRAINT "cluster_components_cluster_id_component_pk" PRIMARY KEY("cluster_id","component")
);
--> statement-breakpoint
CREATE TABLE "cluster_secrets" (
	"cluster_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"value" "bytea" NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cluster_secrets_cluster_id_kind_pk" PRIMARY KEY("cluster_id","kind")
);
--> statement-breakpoint
CREATE TABLE "clusters" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"state" "cluster_state" DEFAULT 'Created' NOT NULL,
	"state_since" timestamp with time zone DEFAULT now() NOT NULL,
	"operation_id" uuid,
	"operation_seq" bigint DEFAULT 0 NOT NULL,
	"next_operation_id" uuid,
	"edit_version" integer DEFAULT 0 NOT NULL,
	"transition_seq" bigint DEFAULT 0 NOT NULL,
	"foreign_write_at" timestamp with time zone,
	"zone_id" text NOT NULL,
	"zone_name" text NOT NULL,
	"kubernetes_version_id" uuid NOT NULL,
	"control_count" integer NOT NULL,
	"worker_count" integer NOT NULL,
	"etcd_count" integer DEFAULT 0 NOT NULL,
	"control_offering_id" text NOT NULL,
	"worker_offering_id" text NOT NULL,
	"etcd_offering_id" text,
	"template_id" text NOT NULL,
	"network_offering_id" text,
	"root_disk_gb" integer DEFAULT 8 NOT NULL,
	"ssh_key_pair" text,
	"csi_enabled" boolean DEFAULT false NOT NULL,
	"autoscale_enabled" boolean DEFAULT false NOT NULL,
	"min_size" integer,
	"max_size" integer,
	"protected" boolean DEFAULT false NOT NULL,
	"network_id" text,
	"network_owned" boolean DEFAULT true NOT NULL,
	"address_id" text,
	"public_ip" text,
	"public_port" integer,
	"load_balancer_rule_id" text,
	"endpoint" text,
	"attention" jsonb,
	"health_check" jsonb,
	"next_check_at" timestamp with time zone,
	"check_failures" integer DEFAULT 0 NOT NULL,
	"drift_finding" text,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone,
	CONSTRAINT "operation_state_has_owner" CHECK (state not in ('Starting','Stopping','Scaling','ScalingStoppedCluster','Upgrading','Importing','RemovingNodes','Recovering') or operation_id is not null or foreign_write_at is not null),
	CONSTRAINT "waiting_stop_only_while_starting" CHECK (next_operation_id is null or (state = 'Starting' and operation_id is not null)),
	CONSTRAINT "counts_make_sense" CHECK (control_count >= 1 and worker_count >= 1 and etcd_count >= 0),
	CONSTRAINT "autoscale_bounds" CHECK (not autoscale_enabled or (min_size >= 1 and max_size > min_size))
);
--> statement-breakpoint
CREATE TABLE "kubernetes_versions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version" text NOT NULL,
	"iso_id" text NOT NULL,
	"iso_name" text NOT NULL,
	"zone_id" text,
	"min_cpu_count" integer DEFAULT 2 NOT NULL,
	"min_memory_mb" integer DEFAULT 2048 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "kubernetes_versions_version_unique" UNIQUE("version")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"cluster_id" uuid NOT NULL,
	"role" text NOT NULL,
	"ordinal" integer NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"machine_id" text,
	"stage" text DEFAULT 'planned' NOT NULL,
	"offering_id" text NOT NULL,
	"version" text,
	"ip" text,
	"external" boolean DEFAULT false NOT NULL,
	"manual_upgrade" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ready_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "transitions" (
	"cluster_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"job_id" uuid,
	"token" bigint NOT NULL,
	"server_id" uuid,
	"event" "cluster_event",
	"from_state" "cluster_state" NOT NULL,
	"to_state" "cluster_state" NOT NULL,
	"cause" "transition_cause" NOT NULL,
	"reason" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "transitions_cluster_id_seq_pk" PRIMARY KEY("cluster_id","seq")
);
--> statement-breakpoint
CREATE TABLE "job_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "job_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"job_id" uuid NOT NULL,
	"step" text,
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"level" text DEFAULT 'info' NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_steps" (
	"job_id" uuid NOT NULL,
	"name" text NOT NULL,
	"ordinal" integer NOT NULL,
	"label" text NOT NULL,
	"status" "step_status" NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"started_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp with time zone,
	"message" text,
	"error" text,
	"checkpoint" jsonb,
	CONSTRAINT "job_steps_job_id_name_pk" PRIMARY KEY("job_id","name")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"cluster_id" uuid,
	"kind" text NOT NULL,
	"status" "job_status" NOT NULL,
	"token" bigint,
	"server_id" uuid,
	"actor" jsonb NOT NULL,
	"input" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"note" text,
	"failure_event" "cluster_event",
	"from_state" "cluster_state",
	"held_state" "cluster_state",
	"continues_job_id" uuid,
	"idempotency_key" text,
	"steps_total" integer DEFAULT 0 NOT NULL,
	"steps_done" integer DEFAULT 0 NOT NULL,
	"current_step" text,
	"progress_at" timestamp with time zone,
	"accepted_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"started_at" timestamp with time zone,
	"deadline_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"reason" text,
	"message" text,
	"result" jsonb,
	"ended_by_pass_id" bigint,
	"late_result_at" timestamp with time zone,
	"legacy_parameters" text,
	CONSTRAINT "open_xor_finished" CHECK ((status in ('in_progress','waiting')) = (finished_at is null)),
	CONSTRAINT "in_progress_has_token" CHECK (status <> 'in_progress' or cluster_id is null or token is not null),
	CONSTRAINT "waiting_belongs_to_no_server" CHECK (status <> 'waiting' or (server_id is null and token is null))
);
--> statement-breakpoint
CREATE TABLE "cloud_catalogue" (
	"kind" text PRIMARY KEY NOT NULL,
	"data" jsonb NOT NULL,
	"fetched_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"type" text NOT NULL,
	"result" text NOT NULL,
	"cluster_id" uuid,
	"cluster_name" text,
	"job_id" uuid,
	"server_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_id" text NOT NULL,
	"actor_name" text NOT NULL,
	"summary" text NOT NULL,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"key_check" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pass_decisions" (
	"pass_id" bigint NOT NULL,
	"ordinal" integer NOT NULL,
	"cluster_id" uuid,
	"cluster_name" text NOT NULL,
	"job_id" uuid,
	"state" "cluster_state",
	"decision" text NOT NULL,
	"code" text NOT NULL,
	"reason" text NOT NULL,
	"becomes" "cluster_state",
	"result" text,
	CONSTRAINT "pass_decisions_pass_id_ordinal_pk" PRIMARY KEY("pass_id","ordinal")
);
--> statement-breakpoint
CREATE TABLE "passes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "passes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mode" text NOT NULL,
	"trigger" text NOT NULL,
	"actor_name" text NOT NULL,
	"server_id" uuid NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"started_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"ownership_done_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"looked_at" integer DEFAULT 0 NOT NULL,
	"recovered" integer DEFAULT 0 NOT NULL,
	"left" integer DEFAULT 0 NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"errors" integer DEFAULT 0 NOT NULL,
	"departed" integer DEFAULT 0 NOT NULL,
	"gate" text,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stray_machines" (
	"machine_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"cluster_id" uuid,
	"first_seen_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"seen_count" integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "servers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"url" text,
	"version" text NOT NULL,
	"protocol" integer DEFAULT 2 NOT NULL,
	"pid" integer,
	"state" "server_state" DEFAULT 'up' NOT NULL,
	"started_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"last_beat_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"renewed_since" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"departed_at" timestamp with time zone,
	"departure" text
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_preferences" ADD CONSTRAINT "user_preferences_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_components" ADD CONSTRAINT "cluster_components_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cluster_secrets" ADD CONSTRAINT "cluster_secrets_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clusters" ADD CONSTRAINT "clusters_kubernetes_version_id_kubernetes_versions_id_fk" FOREIGN KEY ("kubernetes_version_id") REFERENCES "public"."kubernetes_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "nodes" ADD CONSTRAINT "nodes_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transitions" ADD CONSTRAINT "transitions_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transitions" ADD CONSTRAINT "transitions_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_logs" ADD CONSTRAINT "job_logs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_steps" ADD CONSTRAINT "job_steps_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_cluster_id_clusters_id_fk" FOREIGN KEY ("cluster_id") REFERENCES "public"."clusters"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pass_decisions" ADD CONSTRAINT "pass_decisions_pass_id_passes_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."passes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passes" ADD CONSTRAINT "passes_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "public"."servers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "clusters_name_live" ON "clusters" USING btree ("name") WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "clusters_created" ON "clusters" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE removed_at is null;--> statement-breakpoint
CREATE INDEX "clusters_in_operation" ON "clusters" USING btree ("id") WHERE operation_id is not null or state in ('Starting','Stopping','Scaling','ScalingStoppedCluster','Upgrading','Importing','RemovingNodes','Recovering');--> statement-breakpoint
CREATE INDEX "clusters_to_check" ON "clusters" USING btree ("id") WHERE state in ('Alert','Error','Destroying') and operation_id is null;--> statement-breakpoint
CREATE INDEX "clusters_state" ON "clusters" USING btree ("state") WHERE removed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_place" ON "nodes" USING btree ("cluster_id","role","ordinal");--> statement-breakpoint
CREATE UNIQUE INDEX "nodes_machine" ON "nodes" USING btree ("machine_id") WHERE machine_id is not null;--> statement-breakpoint
CREATE INDEX "transitions_at" ON "transitions" USING btree ("at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "transitions_job" ON "transitions" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "job_logs_job" ON "job_logs" USING btree ("job_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_in_progress" ON "jobs" USING btree ("cluster_id") WHERE status = 'in_progress' and cluster_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_one_waiting" ON "jobs" USING btree ("cluster_id") WHERE status = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_token" ON "jobs" USING btree ("cluster_id","token") WHERE token is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_idempotency" ON "jobs" USING btree ("idempotency_key") WHERE idempotency_key is not null;--> statement-breakpoint
CREATE INDEX "jobs_running_on" ON "jobs" USING btree ("server_id") WHERE status = 'in_progress';--> statement-breakpoint
CREATE INDEX "jobs_legacy" ON "jobs" USING btree ("id") WHERE status = 'in_progress' and cluster_id is null;--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("id") WHERE status in ('in_progress','waiting');--> statement-breakpoint
CREATE INDEX "jobs_of_cluster" ON "jobs" USING btree ("cluster_id","accepted_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_newest" ON "jobs" USING btree ("accepted_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "events_cluster" ON "events" USING btree ("cluster_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_job" ON "events" USING btree ("job_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "events_type" ON "events" USING btree ("type","id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "passes_one_running" ON "passes" USING btree ((mode)) WHERE status = 'running' and mode = 'apply';--> statement-breakpoint
CREATE INDEX "passes_newest" ON "passes" USING btree ("id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "servers_alive" ON "servers" USING btree ("id") WHERE state <> 'departed';--> statement-breakpoint
CREATE INDEX "servers_name" ON "servers" USING btree ("name","started_at" DESC NULLS LAST);