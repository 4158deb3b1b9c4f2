'use client';
import type { Route } from 'next';
import type { ReactNode } from 'react';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import type { KeyValue } from '@/components/ui/key-values';
import { Receipt } from '@/components/ui/receipt';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { operations } from '@/domain/operations';
import type { Holder, Refusal } from '@/domain/refusals';
import type { Outcome } from './use-action';

/** The receipt of a request that was not accepted; nothing while there is none. Takes the focus. */
export function RefusalNotice({ outcome, actions }: { outcome: Outcome<unknown> | null; actions?: ReactNode }) {
  if (outcome === null || outcome.kind === 'accepted') return null;
  if (outcome.kind === 'unknown') {
    return (
      <Receipt
        title="We do not know whether it was accepted"
        message="The answer got lost on its way. Ask again: the same request is never accepted twice."
        actions={actions}
      />
    );
  }
  const { refusal, reference } = outcome;
  return (
    <Receipt
      key={refusal.message}
      title={titleOf(refusal)}
      message={refusal.message}
      also={refusal.code === 'refused' ? refusal.also : []}
      facts={factsOf(refusal)}
      reference={reference}
      actions={actions}
    />
  );
}

function titleOf(refusal: Refusal): string {
  switch (refusal.code) {
    case 'conflict':
      return 'Another operation got there first';
    case 'invalid':
      return 'Not complete yet';
    case 'not-allowed':
      return 'Your role does not allow this';
    case 'not-found':
      return 'Not found';
    case 'cloud':
      return 'The cloud does not allow it now';
    case 'unavailable':
      return 'Not possible right now';
    case 'refused':
      return 'Refused: nothing was changed';
  }
}

function factsOf(refusal: Refusal): KeyValue[] {
  if (refusal.code === 'conflict') {
    return [
      ...holderFacts(refusal.holder, 'Winner'),
      { label: 'Expected', value: <StateBadge state={refusal.expectedState} isQuiet /> },
      { label: 'Found', value: <StateBadge state={refusal.foundState} isQuiet /> },
      ...(refusal.gapMs === null ? [] : [{ label: 'Missed by', value: `${refusal.gapMs} ms` }]),
      { label: 'Changed', value: 'nothing' },
    ];
  }
  return refusal.code === 'refused' ? holderFacts(refusal.holder, 'Held by') : [];
}

function holderFacts(holder: Holder | null, label: string): KeyValue[] {
  if (holder === null) return [];
  return [
    {
      label,
      value: (
        <>
          <TextLink href={routes.job(holder.jobId) satisfies Route}>
            {operations[holder.kind].label} by {holder.actorName}
          </TextLink>
          {holder.serverName === null ? '' : ` on ${holder.serverName}`}
          {holder.ended ? ', ended meanwhile' : ''}
        </>
      ),
    },
    { label: 'Since', value: <Time value={holder.since} mode="absolute" /> },
    ...(holder.stepsTotal === 0
      ? []
      : [
          {
            label: 'Progress',
            value: `${holder.stepsDone} of ${holder.stepsTotal} steps done${holder.currentStep === null ? '' : `, now: ${holder.currentStep}`}`,
          },
        ]),
  ];
}
