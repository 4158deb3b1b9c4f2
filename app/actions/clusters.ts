'use server';

import { changeProtection } from '@/db/protection';
import { runtime } from '@/runtime';
import type { Accepted } from '@/worker/accept';
import { type ActionResult, adminAction } from './admin-action';
import { type Checked, submitCheck } from './check-cluster';
import {
  checkRequest,
  createClusterRequest,
  operationRequest,
  protectionRequest,
  withdrawal,
} from './cluster-requests';
import { submitCreate, submitOperation, submitWithdrawal } from './submit-operation';

/** Records a cluster and, with *start now*, begins to build it. Answers with the job's id, not with its end. */
export async function createCluster(input: unknown): Promise<ActionResult<Accepted>> {
  return create(input);
}
const create = adminAction('operator', createClusterRequest, ({ actor, input }) => submitCreate(actor, input));

/** Asks one of the eight operations of a cluster. Refusals are values with the winner in them. */
export async function requestOperation(input: unknown): Promise<ActionResult<Accepted>> {
  return ask(input);
}
const ask = adminAction('operator', operationRequest, ({ actor, input }) => submitOperation(actor, input));

/** Takes a stop back while it waits for a start. */
export async function withdrawOperation(input: unknown): Promise<ActionResult<true>> {
  return withdraw(input);
}
const withdraw = adminAction('operator', withdrawal, ({ actor, input }) => submitWithdrawal(actor, input));

/** Protects a cluster against deletion, or lifts the protection. */
export async function setProtection(input: unknown): Promise<ActionResult<true>> {
  return protect(input);
}
const protect = adminAction('admin', protectionRequest, ({ actor, input }) =>
  changeProtection(runtime().db, actor, input),
);

/** What the next pass would do with this cluster, at once and without back-off; offered in every state. */
export async function checkNow(input: unknown): Promise<ActionResult<Checked>> {
  return check(input);
}
const check = adminAction('operator', checkRequest, ({ actor, input }) => submitCheck(actor, input.clusterId));
