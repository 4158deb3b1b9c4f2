'use client';
import { type ReactNode, useRef, useState } from 'react';
import { toast } from 'sonner';
import type { ActionResult } from '@/app/actions/admin-action';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { Receipt } from '@/components/ui/receipt';
import type { Refusal } from '@/domain/refusals';

const mostLetters = 500;

/** A forced act: says what will happen, asks why, shows the refusal where it was asked. Focus begins on Cancel. */
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
  const [refusal, setRefusal] = useState<{ refusal: Refusal; reference?: string | undefined }>();
  const [isBusy, setBusy] = useState(false);
  const cancel = useRef<HTMLButtonElement>(null);
  const submit = async () => {
    if (reason.trim() === '') {
      setError('Say why: it is kept in the audit trail.');
      return;
    }
    setBusy(true);
    setError(undefined);
    setRefusal(undefined);
    const answer = await act(reason.trim()).catch(() => null);
    setBusy(false);
    if (answer?.ok === true) {
      toast.success(doneText);
      setReason('');
      onOpenChange(false);
      return;
    }
    const unknown = {
      code: 'unavailable',
      message: 'The server did not answer, so we do not know whether it was done. Look, then try again.',
    } as const;
    setRefusal(answer === null ? { refusal: unknown } : { refusal: answer.refusal, reference: answer.reference });
  };
  return (
    <Dialog
      title={title}
      description={description}
      open={isOpen}
      onOpenChange={(open) => {
        setRefusal(undefined);
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
        {refusal === undefined ? null : (
          <Receipt title="Not done" message={refusal.refusal.message} reference={refusal.reference} />
        )}
        {children}
        <Field label="Reason" error={error} hint="Stands in the audit trail, on the job and on the cluster.">
          {(control) => (
            <Textarea
              {...control}
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
