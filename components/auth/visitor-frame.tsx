import type { ReactNode } from 'react';
import { BrandMark } from '@/components/shell/brand-mark';

/** The frame of pages for visitors: who we are, one card, one place for help. */
export function VisitorFrame({
  title,
  text,
  children,
  help,
}: {
  title: string;
  text?: ReactNode;
  children: ReactNode;
  help?: ReactNode;
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 py-10 sm:pt-[14vh]">
      <div className="w-full max-w-sm">
        <p className="flex items-center gap-2 px-1 text-sm font-semibold tracking-tight">
          <BrandMark />
          Holdfast
        </p>
        <section
          aria-labelledby="visitor-title"
          className="mt-4 rounded-xl border border-line bg-surface p-6 shadow-panel"
        >
          <h1 id="visitor-title" className="text-lg font-semibold tracking-tight">
            {title}
          </h1>
          {text === undefined ? null : <div className="mt-1 text-sm text-soft">{text}</div>}
          <div className="mt-5">{children}</div>
        </section>
        {help === undefined ? null : <div className="mt-4 px-1 text-xs text-faint">{help}</div>}
      </div>
    </main>
  );
}
