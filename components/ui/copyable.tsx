'use client';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { classNames } from './class-names';

/** A text in monospace with a copy button; `shown` may shorten it, the whole value is copied. */
export function Copyable({
  value,
  shown,
  label = 'Copy',
  className,
}: {
  value: string;
  shown?: string;
  label?: string;
  className?: string;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
    } catch {
      // Without permission the text can still be selected by hand.
      setCopied(false);
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <span className={classNames('inline-flex min-w-0 items-center gap-0.5 font-mono text-xs text-faint', className)}>
      <span className="truncate" title={value}>
        {shown ?? value}
      </span>
      <button
        type="button"
        onClick={() => void copy()}
        aria-label={`${label} ${shown ?? value}`}
        className="inline-flex size-6 shrink-0 items-center justify-center rounded text-faint hover:bg-subtle hover:text-ink"
      >
        <Icon aria-hidden className="size-3" />
      </button>
      <span role="status" className="sr-only">
        {isCopied ? 'Copied' : ''}
      </span>
    </span>
  );
}
