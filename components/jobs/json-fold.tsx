'use client';
import { ChevronRight } from 'lucide-react';
import { Copyable } from '@/components/ui/copyable';

/** A value as JSON, folded; the whole text can be copied. */
export function JsonFold({
  title,
  value,
  startsOpen = false,
}: {
  title: string;
  value: unknown;
  startsOpen?: boolean;
}) {
  const text = JSON.stringify(value, null, 2);
  return (
    <details open={startsOpen} className="group/fold">
      <summary className="flex min-h-8 cursor-pointer list-none items-center justify-between gap-2 rounded-md text-sm font-medium [&::-webkit-details-marker]:hidden">
        <span className="flex items-center gap-1.5">
          <ChevronRight aria-hidden className="size-3.5 text-faint transition-transform group-open/fold:rotate-90" />
          {title}
        </span>
      </summary>
      <div className="relative">
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-md border border-line bg-subtle/60 p-3 pr-10 font-mono text-xs leading-5"
        >
          {text}
        </pre>
        <Copyable value={text} shown="" label={`Copy ${title.toLowerCase()}`} className="absolute top-1.5 right-1.5" />
      </div>
    </details>
  );
}
