'use client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { z } from 'zod';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { routes } from '@/components/routes';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { TextLink } from '@/components/ui/text-link';
import type { FormOptions } from '@/db/queries/catalogue';
import type { ClusterDetail, OperationChoice } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';
import { planOperation } from '@/domain/plan';
import type { PlanFacts, WantedChange } from '@/domain/plan-steps';
import { FormShell } from './form-shell';
import { pathOf } from './path-of';
import type { OperationFormState } from './use-operation-form';
import { NothingWouldHappen, WhatIf } from './what-if';

/** A machine in the cluster's network that could become a node. */
export interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly ip: string | null;
  readonly off: string | null;
}

/** What each form of an operation gets. */
export interface OperationFormProps {
  readonly cluster: ClusterDetail;
  readonly choice: OperationChoice;
  /** Recorded facts when the form was opened; the plan is made from them. */
  readonly facts: PlanFacts;
  readonly options: FormOptions;
  /** For *add nodes*; null: the cloud could not be asked. */
  readonly candidates: readonly Candidate[] | null;
  readonly form: OperationFormState;
}

interface OperationShellProps extends OperationFormProps {
  readonly schema: z.ZodType;
  /** What is asked, as the schema reads it; the note is added. */
  readonly input: Record<string, unknown>;
  readonly wanted?: WantedChange;
  readonly changes?: readonly ReactNode[];
  readonly notes?: readonly ReactNode[];
  /** Why it cannot be sent though the policy allows it: nothing changed, a name not typed. */
  readonly reason?: string | undefined;
  readonly isDanger?: boolean;
  readonly children?: ReactNode;
}

const nothingWanted: WantedChange = {};

/** The frame of an operation's form: what holds it up, its fields, the note, what would happen, and the one button. */
export function OperationShell(props: OperationShellProps) {
  const { cluster, choice, facts, form, schema, input, wanted = nothingWanted, reason } = props;
  const [note, setNote] = useState('');
  const row = operations[choice.kind];
  const refused = choice.text ?? undefined;
  const { path, failedTo } = pathOf(cluster.state, choice);
  const fromState = cluster.state;
  const steps =
    choice.verdict === null || choice.verdict === 'settings'
      ? null
      : planOperation(choice.kind, { ...facts, state: choice.to ?? fromState, fromState, wanted });
  return (
    <FormShell
      title={`${row.verb} ${cluster.name}`}
      badge={<StateBadge state={cluster.state} />}
      notice={<Notices {...props} />}
      submitLabel={`${row.verb} ${cluster.name}`}
      isDanger={props.isDanger ?? false}
      reason={refused ?? reason}
      isBusy={form.isBusy}
      cancelHref={routes.cluster(cluster.id)}
      onSubmit={() => form.submit(schema, { ...input, ...(note.trim() === '' ? {} : { note }) })}
      whatIf={
        choice.verdict === null ? (
          <NothingWouldHappen />
        ) : (
          <WhatIf
            view={{
              path,
              failedTo,
              steps,
              timing: cluster.timing,
              changes: props.changes ?? [],
              notes: [...(props.notes ?? []), ...meanwhile(choice)],
            }}
          />
        )
      }
    >
      {props.children}
      <Field label="Reason" isOptional hint="Kept with the job and its events." error={form.issues['note']}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            value={note}
            maxLength={500}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
    </FormShell>
  );
}

function meanwhile(choice: OperationChoice): string[] {
  if (choice.verdict === 'settings' || choice.verdict === null) return [];
  if (choice.kind === 'start')
    return ['Until it ends every other operation is refused, except a stop: that waits and takes over.'];
  return ['Until it ends every other operation on this cluster is refused.'];
}

function Notices({ cluster, choice, form, facts }: OperationShellProps) {
  const router = useRouter();
  return (
    <>
      {choice.verdict === null ? (
        <Callout tone="warning" title="Not possible now">
          <p>{choice.text}</p>
          {choice.also.map((line) => (
            <p key={line}>Also: {line}</p>
          ))}
          {cluster.holder === null ? null : (
            <p>
              <TextLink href={routes.job(cluster.holder.jobId)}>Open the job that holds it</TextLink>
            </p>
          )}
        </Callout>
      ) : null}
      {choice.verdict === 'go-ahead' && choice.kind !== 'delete' ? (
        <Callout tone="warning">
          It owns the cluster while it runs, and leaves it in its state, whatever happens.
        </Callout>
      ) : null}
      {choice.verdict === 'wait' ? (
        <Callout tone="info">
          A start is running. The stop waits for the end of its present step, then takes over; until then it can be
          withdrawn.
        </Callout>
      ) : null}
      {facts.state === cluster.state ? null : (
        <Callout tone="info" title="The cluster has moved on since this form was opened">
          <Button size="sm" className="mt-1.5" onClick={() => router.refresh()}>
            Plan again
          </Button>
        </Callout>
      )}
      <RefusalNotice outcome={form.outcome} />
    </>
  );
}
