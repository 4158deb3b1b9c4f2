'use client';
import type { Route } from 'next';
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button, ButtonLink } from '@/components/ui/button';
import { PageHeader } from '@/components/ui/page-header';

interface FormShellProps {
  title: string;
  description?: ReactNode;
  badge?: ReactNode;
  /** The receipt of a refusal, or why nothing can be asked now. */
  notice?: ReactNode;
  whatIf: ReactNode;
  submitLabel: string;
  isDanger?: boolean;
  /** Why it cannot be sent now. */
  reason?: string | undefined;
  isBusy: boolean;
  cancelHref: Route;
  onSubmit: () => Promise<void>;
  children: ReactNode;
}

/** A form of an operation: fields at the left, what would happen at the right; below on phones. Ctrl or ⌘ Enter sends. */
export function FormShell(props: FormShellProps) {
  const { title, description, badge, notice, whatIf, submitLabel, reason, isBusy, cancelHref, onSubmit, children } =
    props;
  const form = useRef<HTMLFormElement>(null);
  const send = async (event?: FormEvent) => {
    event?.preventDefault();
    if (reason !== undefined || isBusy) return;
    await onSubmit();
    // After the refusal has been drawn: the first field that needs a change gets the focus.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  };
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => void send(event)}
      onKeyDown={onKeyDown}
      className="mx-auto flex max-w-6xl flex-col gap-4"
    >
      <PageHeader title={title} description={description} badge={badge} />
      {notice}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 rounded-lg border border-line bg-surface shadow-panel">
          <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">{children}</div>
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 sm:px-5">
            <ButtonLink href={cancelHref} variant="ghost">
              Cancel
            </ButtonLink>
            <Button
              type="submit"
              variant={props.isDanger === true ? 'danger' : 'primary'}
              reason={reason}
              isBusy={isBusy}
            >
              {submitLabel}
            </Button>
          </footer>
        </div>
        <aside aria-label="What would happen" className="min-w-0 lg:sticky lg:top-18">
          {whatIf}
        </aside>
      </div>
    </form>
  );
}
