'use server';

import { changeProtection } from '@/db/protection';
import { runtime } from '@/runtime';
import { adminAction } from './admin-action';
import { createClusterRequest, operationRequest, protectionRequest, withdrawal } from './cluster-requests';
import { submitCreate, submitOperation, submitWithdrawal } from './submit-operation';

/** Records a cluster and, with *start now*, begins to build it. Answers with the job's id, not with its end. */
export const createCluster = adminAction('operator', createClusterRequest, ({ actor, input }) => submitCreate(actor, input));

/** Asks one of the eight operations of a cluster. Refusals are values with the winner in them. */
export const requestOperation = adminAction('operator', operationRequest, ({ actor, input }) => submitOperation(actor, input));

/** Takes a stop back while it waits for a start. */
export const withdrawOperation = adminAction('operator', withdrawal, ({ actor, input }) => submitWithdrawal(actor, input));

/** Protects a cluster against deletion, or lifts the protection. */
export const setProtection = adminAction('admin', protectionRequest, ({ actor, input }) => changeProtection(runtime().db, actor, input));
