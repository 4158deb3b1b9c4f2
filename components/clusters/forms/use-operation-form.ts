'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import type { z } from 'zod';
import { requestOperation } from '@/app/actions/clusters';
import { useAction } from '@/components/refusals/use-action';
import { routes } from '@/components/routes';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { type OperationKind, operations } from '@/domain/operations';
import { useFormKey } from './form-key';
import { type Issues, issuesOf, serverIssues } from './issues';

interface Asked {
  readonly cluster: ClusterDetail;
  readonly kind: OperationKind;
  /** `operation_seq` when the form was opened. */
  readonly openedSeq: number;
  readonly continuesJobId: string | undefined;
}

/** Checks the input with the server's own schema, asks, and leads on: accepted closes the form, refused keeps it as it is. */
export function useOperationForm({ cluster, kind, openedSeq, continuesJobId }: Asked) {
  const router = useRouter();
  const queries = useQueryClient();
  const idempotencyKey = useFormKey();
  const action = useAction(requestOperation);
  const [own, setOwn] = useState<Issues>({});
  const submit = async (schema: z.ZodType, input: Record<string, unknown>) => {
    const issues = issuesOf(schema, input);
    setOwn(issues);
    action.forget();
    if (Object.keys(issues).length > 0) return;
    const outcome = await action.run({
      kind,
      clusterId: cluster.id,
      expectedSeq: openedSeq,
      idempotencyKey,
      continuesJobId,
      input,
    });
    if (outcome.kind !== 'accepted') return;
    const { jobId, waiting } = outcome.value;
    const label = operations[kind].label;
    toast.success(
      waiting ? `The stop of ${cluster.name} waits for the running start` : `${label} of ${cluster.name} accepted`,
      {
        action: { label: 'Open job', onClick: () => router.push(routes.job(jobId)) },
      },
    );
    void queries.invalidateQueries({ queryKey: ['cluster', cluster.id] });
    void queries.invalidateQueries({ queryKey: ['clusters'] });
    router.push(routes.cluster(cluster.id));
  };
  return {
    submit,
    isBusy: action.isBusy,
    outcome: action.outcome,
    issues: { ...serverIssues(action.outcome), ...own },
  };
}

export type OperationFormState = ReturnType<typeof useOperationForm>;
