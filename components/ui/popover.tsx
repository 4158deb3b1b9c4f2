'use client';
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

/** A small box beside what opened it; closes with Esc or a click elsewhere. */
export function Popover({
  trigger,
  title,
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  title: string;
  children: ReactNode;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="start" className="z-50">
          <Base.Popup className="w-80 max-w-[calc(100vw-1.5rem)] rounded-lg border border-line-strong bg-raised p-4 text-sm shadow-float outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Base.Title className="mb-2 text-sm font-semibold">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
