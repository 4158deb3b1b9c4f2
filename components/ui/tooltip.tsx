'use client';
import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider delay={350} closeDelay={80}>
      {children}
    </Base.Provider>
  );
}

/**
 * Shows `text` on hover and on focus. For the eye only: what a screen reader must hear belongs in a label or a description of
 * `children`, which has to be one element that takes focus.
 */
export function Tooltip({
  text,
  side = 'top',
  children,
}: {
  text: ReactNode;
  side?: 'top' | 'bottom' | 'left' | 'right';
  children: ReactElement<Record<string, unknown>>;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="max-w-80 rounded-md border border-line-strong bg-raised px-2.5 py-1.5 text-xs text-ink shadow-float transition-opacity duration-100 data-ending-style:opacity-0 data-instant:transition-none data-starting-style:opacity-0">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
