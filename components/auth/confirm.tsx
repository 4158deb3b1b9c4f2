'use client';
import { type ReactNode, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { FailureNote } from './failure-note';
import type { Failure } from './use-act';

interface ConfirmProps {
  title: string;
  text: string;
  submit: string;
  isDanger?: boolean;
  reason?: string | undefined;
  act: { isBusy: boolean; failure: Failure | null };
  onSubmit: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks once. Focus starts on Cancel where something is taken away; a refusal stays in the dialog. */
export function Confirm({
  title,
  text,
  submit,
  isDanger = false,
  reason,
  act,
  onSubmit,
  onClose,
  children,
}: ConfirmProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={title}
      description={text}
      open
      onOpenChange={(open) => open || onClose()}
      {...(isDanger ? { initialFocus: cancel } : {})}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            Cancel
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} isBusy={act.isBusy} reason={reason} onClick={onSubmit}>
            {submit}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <FailureNote failure={act.failure} />
        {children}
      </div>
    </Dialog>
  );
}
