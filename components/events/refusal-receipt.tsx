'use client';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { routes } from '@/components/routes';
import { type KeyValue, KeyValues } from '@/components/ui/key-values';
import { TextLink } from '@/components/ui/text-link';
import { Time } from '@/components/ui/time';
import { operations } from '@/domain/operations';
import type { StoredRefusal } from './receipt-of';

const codeWords: Readonly<Record<string, string>> = {
  invalid: 'The request was not complete or not allowed as it was.',
  'not-found': 'There is no such thing.',
  'not-allowed': 'The role was not enough.',
  refused: 'The rules forbid it in this state.',
  conflict: 'Another operation got there first.',
  cloud: 'The cloud said no, or did not answer in time.',
  unavailable: 'Nobody was there to run it.',
};

/** The receipt of a refusal (interface B3): what was expected, what was found, who won, by how much; and that nothing was changed. */
export function RefusalReceipt({ receipt }: { receipt: StoredRefusal }) {
  const { refusal, kind, note } = receipt;
  const items: KeyValue[] = [
    { label: 'Asked', value: kind === undefined ? null : operations[kind].label },
    { label: 'Answer', value: codeWords[refusal.code] ?? refusal.code },
    ...(refusal.expectedState === undefined
      ? []
      : [{ label: 'Expected', value: <StateBadge state={refusal.expectedState} isQuiet /> }]),
    ...(refusal.foundState === undefined
      ? []
      : [{ label: 'Found', value: <StateBadge state={refusal.foundState} isQuiet /> }]),
    ...(refusal.holder === null
      ? []
      : [{ label: refusal.code === 'conflict' ? 'Winner' : 'Held by', value: <Winner holder={refusal.holder} /> }]),
    ...(refusal.gapMs == null ? [] : [{ label: 'Gap', value: `${refusal.gapMs} ms between reading and writing` }]),
    ...(refusal.role === undefined ? [] : [{ label: 'Needs', value: `the role ${refusal.role}` }]),
    ...refusal.issues.map((issue) => ({ label: issue.field === '' ? 'Request' : issue.field, value: issue.message })),
    ...(note === undefined ? [] : [{ label: 'Reason given', value: note }]),
  ];
  return (
    <section aria-label="Receipt" className="rounded-lg border border-line">
      <div className="rounded-t-lg border-b border-line bg-subtle/60 px-4 py-2.5 text-sm">
        <p className="break-words">{refusal.message}</p>
        {refusal.also.map((line) => (
          <p key={line} className="text-soft">
            Also: {line}
          </p>
        ))}
      </div>
      <div className="px-4 py-3">
        <KeyValues items={items} />
        <p className="mt-3 text-xs text-faint">Nothing was changed by this request.</p>
      </div>
    </section>
  );
}

function Winner({ holder }: { holder: NonNullable<StoredRefusal['refusal']['holder']> }) {
  return (
    <span>
      <TextLink href={routes.job(holder.jobId)}>
        {operations[holder.kind].label} by {holder.actorName}
      </TextLink>
      {holder.serverName === null ? null : ` on ${holder.serverName}`}
      <span className="block text-xs text-faint">
        since <Time value={holder.since} mode="absolute" />
        {holder.ended ? ', had ended by then' : ''}
      </span>
    </span>
  );
}
