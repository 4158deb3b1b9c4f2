'use server';
import { z } from 'zod';
import { changeDraining } from '@/db/drain';
import { endLegacyJob as endLegacyJobIn } from '@/db/legacy-jobs';
import type { ClusterState } from '@/domain/states';
import { runtime } from '@/runtime';
import { endOperationByHand } from '@/scanner/end-operation';
import { type ActionResult, adminAction } from './admin-action';
import { scanner } from './current-scanner';
import { endRequest, legacyEndRequest, recoveryRequest, serverRequest } from './recovery-requests';
import { type PassAnswer, submitPass } from './submit-pass';

/** What a pass would decide now, both halves; nothing is changed but that the preview is on record. */
export async function previewRecovery(input: unknown): Promise<ActionResult<PassAnswer>> {
  return preview(input);
}
const preview = adminAction('viewer', z.object({}).optional(), ({ actor }) => submitPass(actor, { mode: 'preview' }));

/** Runs a pass; with `only`, on these rows of a preview, each compared with what the preview saw. */
export async function runRecovery(input: unknown): Promise<ActionResult<PassAnswer>> {
  return run(input);
}
const run = adminAction('operator', recoveryRequest, ({ actor, input }) =>
  submitPass(actor, { mode: 'apply', ...input }),
);

/** Ends a job of an older server whose server is unknown, silent or gone. */
export async function endLegacyJob(input: unknown): Promise<ActionResult<true>> {
  return endLegacy(input);
}
const endLegacy = adminAction('admin', legacyEndRequest, ({ actor, input }) =>
  endLegacyJobIn(runtime().db, { ...input, actor, beatMs: scanner().beatMs }),
);

/** Ends an operation that hangs, on the token that the page showed. */
export async function endOperation(input: unknown): Promise<ActionResult<{ becomes: ClusterState | null }>> {
  return end(input);
}
const end = adminAction('admin', endRequest, ({ actor, input }) => endOperationByHand(scanner(), actor, input));

export async function drainServer(input: unknown): Promise<ActionResult<{ name: string }>> {
  return drain(input);
}
const drain = adminAction('admin', serverRequest, ({ actor, input }) =>
  changeDraining(runtime().db, { ...input, draining: true, actor }),
);

export async function undrainServer(input: unknown): Promise<ActionResult<{ name: string }>> {
  return undrain(input);
}
const undrain = adminAction('admin', serverRequest, ({ actor, input }) =>
  changeDraining(runtime().db, { ...input, draining: false, actor }),
);
