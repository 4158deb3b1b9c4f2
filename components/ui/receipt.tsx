'use client';
import { Ban } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type KeyValue, KeyValues } from './key-values';

/**
 * The answer to a request that was refused: what was said, who won, what was not changed, and the next acts. Takes the focus when
 * it appears, so that it is read out and nobody misses it.
 */
export function Receipt({
  title,
  message,
  also = [],
  facts = [],
  reference,
  actions,
}: {
  title: string;
  message: ReactNode;
  also?: readonly string[];
  facts?: readonly KeyValue[];
  reference?: string | undefined;
  actions?: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className="tone-danger rounded-lg border border-(--tone-line) bg-surface outline-offset-2"
    >
      <div className="flex gap-2.5 rounded-t-lg bg-(--tone-bg) px-4 py-3 text-sm text-(--tone-fg)">
        <Ban aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          <p className="font-semibold">{title}</p>
          <p>{message}</p>
          {also.map((line) => (
            <p key={line}>Also: {line}</p>
          ))}
        </div>
      </div>
      {facts.length === 0 && actions === undefined && reference === undefined ? null : (
        <div className="flex flex-col gap-3 border-t border-(--tone-line) px-4 py-3">
          {facts.length === 0 ? null : <KeyValues items={facts} />}
          {reference === undefined ? null : <p className="font-mono text-xs text-faint">Reference {reference}</p>}
          {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
    </div>
  );
}
