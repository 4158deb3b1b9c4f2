'use client';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { buttonClass } from './button-styles';
import { classNames } from './class-names';

interface DialogProps {
  title: string;
  description?: ReactNode;
  /** Opens it; leave out when `open` is driven from outside. */
  trigger?: ReactElement<Record<string, unknown>>;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Where the focus starts; destructive dialogs start on Cancel. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** `sheet` comes in from the left, for the navigation on phones. */
  kind?: 'modal' | 'sheet';
  size?: 'sm' | 'lg';
  children: ReactNode;
  footer?: ReactNode;
}

const places = {
  modal:
    'inset-x-4 top-[12vh] mx-auto max-h-[80vh] overflow-y-auto rounded-xl data-ending-style:scale-[0.98] data-starting-style:scale-[0.98]',
  sheet:
    'inset-y-0 left-0 w-72 max-w-[85vw] overflow-y-auto rounded-r-xl data-ending-style:-translate-x-4 data-starting-style:-translate-x-4',
} as const;

/** A modal dialog: focus stays inside, Esc closes, focus goes back to what opened it. */
export function Dialog({
  title,
  description,
  trigger,
  kind = 'modal',
  size = 'sm',
  initialFocus,
  children,
  footer,
  ...root
}: DialogProps) {
  return (
    <Base.Root
      {...(root.open === undefined ? {} : { open: root.open })}
      onOpenChange={(open) => root.onOpenChange?.(open)}
    >
      {trigger === undefined ? null : <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/35 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 dark:bg-black/60" />
        <Base.Popup
          {...(initialFocus === undefined ? {} : { initialFocus })}
          className={classNames(
            'fixed z-50 border border-line-strong bg-raised text-ink shadow-float transition-[opacity,scale,translate] duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0',
            places[kind],
            kind === 'modal' && (size === 'sm' ? 'max-w-md' : 'max-w-3xl'),
          )}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <div>
              <Base.Title className="text-base font-semibold">{title}</Base.Title>
              {description === undefined ? null : (
                <Base.Description className="mt-1 text-sm text-soft">{description}</Base.Description>
              )}
            </div>
            <Base.Close
              aria-label="Close"
              className={buttonClass({ variant: 'ghost', size: 'icon-sm', className: '-mr-1.5' })}
            >
              <X aria-hidden className="size-4" />
            </Base.Close>
          </header>
          <div className="px-5 py-4">{children}</div>
          {footer === undefined ? null : (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Closes the dialog it stands in. */
export const DialogClose = Base.Close;
