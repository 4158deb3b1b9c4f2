'use client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useDeferredValue, useState } from 'react';
import { toast } from 'sonner';
import { createCluster } from '@/app/actions/clusters';
import { useAction } from '@/components/refusals/use-action';
import { readJson } from '@/components/request';
import { routes } from '@/components/routes';
import type { FormOptions } from '@/db/queries/catalogue';
import { clusterName, createInput } from '@/domain/requests';
import { type CreateValues, firstValues, inputOf, withZone } from './create-values';
import { useFormKey } from './form-key';
import { type Issues, issuesOf, serverIssues } from './issues';

/** Values, what is wrong with those that were touched, and the sending. */
export function useCreateForm(options: FormOptions) {
  const router = useRouter();
  const queries = useQueryClient();
  const idempotencyKey = useFormKey();
  const action = useAction(createCluster);
  const [values, setValues] = useState(() => firstValues(options));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [wasSent, setSent] = useState(false);
  const [sent, setSentValues] = useState(values);
  const nameIssue = useNameIssue(values.name);
  const set = (change: Partial<CreateValues>) => {
    setTouched(new Set([...touched, ...Object.keys(change)]));
    setValues((before) => {
      const next = { ...before, ...change };
      return change.zoneId === undefined ? next : withZone(next, change.zoneId, options);
    });
  };
  const all = issuesOf(createInput, inputOf(values));
  const shown: Issues = Object.fromEntries(Object.entries(all).filter(([field]) => wasSent || touched.has(field)));
  // What the server said of a value counts until that value is changed.
  const fromServer = Object.fromEntries(
    Object.entries(serverIssues(action.outcome)).filter(([field]) => isSame(values, sent, field)),
  );
  const submit = async () => {
    setSent(true);
    setSentValues(values);
    if (Object.keys(all).length > 0 || nameIssue !== undefined) return;
    const outcome = await action.run({ ...inputOf(values), idempotencyKey });
    if (outcome.kind !== 'accepted') return;
    const { clusterId, jobId } = outcome.value;
    toast.success(
      values.startNow ? `${values.name} is being built` : `${values.name} is recorded; start it when you like`,
      {
        action: { label: 'Open job', onClick: () => router.push(routes.job(jobId)) },
      },
    );
    void queries.invalidateQueries({ queryKey: ['clusters'] });
    router.push(routes.cluster(clusterId));
  };
  const issues: Issues = { ...(nameIssue === undefined ? {} : { name: nameIssue }), ...fromServer, ...shown };
  return { values, set, issues, submit, isBusy: action.isBusy, outcome: action.outcome };
}

export type CreateForm = ReturnType<typeof useCreateForm>;

function isSame(values: CreateValues, sent: CreateValues, field: string): boolean {
  const key = field as keyof CreateValues;
  return values[key] === sent[key];
}

/** Asked while typing; the server asks again. */
function useNameIssue(name: string): string | undefined {
  const calm = useDeferredValue(name.trim());
  const isName = clusterName.safeParse(calm).success;
  const { data } = useQuery({
    queryKey: ['clusters', 'name', calm],
    queryFn: ({ signal }) =>
      readJson<{ isTaken: boolean }>(`/api/v1/clusters/name?name=${encodeURIComponent(calm)}`, signal),
    enabled: isName,
    staleTime: 5_000,
  });
  return isName && calm === name.trim() && data?.isTaken === true ? 'A cluster of this name exists.' : undefined;
}
