'use client';
import { type ReactNode, useRef, useState } from 'react';
import { toast } from 'sonner';
import type { ActionResult } from '@/app/actions/admin-action';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { useAction } from '@/components/refusals/use-action';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';

const mostLetters = 500;
const fewestLetters = 3;

/** A forced act: says what will happen, asks why, shows the refusal where it was asked. The focus begins on Cancel. */
export function ReasonedDialog({
  title,
  description,
  confirmLabel,
  doneText,
  act,
  isOpen,
  onOpenChange,
  children,
}: {
  title: string;
  description: ReactNode;
  confirmLabel: string;
  /** For the toast. */
  doneText: string;
  act: (reason: string) => Promise<ActionResult<unknown>>;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  /** What will happen and what will not. */
  children: ReactNode;
}) {
  const [reason, setReason] = useState('');
  const [error, setError] = useState<string>();
  const { run, isBusy, outcome, forget } = useAction(act);
  const cancel = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const submit = async () => {
    if (reason.trim().length < fewestLetters) {
      setError('Say why: it is kept in the audit trail.');
      box.current?.focus();
      return;
    }
    setError(undefined);
    const answer = await run(reason.trim());
    if (answer.kind !== 'accepted') return;
    toast.success(doneText);
    setReason('');
    onOpenChange(false);
  };
  return (
    <Dialog
      title={title}
      description={description}
      open={isOpen}
      onOpenChange={(open) => {
        forget();
        onOpenChange(open);
      }}
      initialFocus={cancel}
      footer={
        <>
          <DialogClose ref={cancel} render={<Button>Cancel</Button>} />
          <Button variant="danger" isBusy={isBusy} onClick={() => void submit()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RefusalNotice outcome={outcome} />
        {children}
        <Field label="Reason" error={error} hint="Stands in the audit trail, on the job and on the cluster.">
          {(control) => (
            <Textarea
              {...control}
              ref={box}
              rows={2}
              maxLength={mostLetters}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
