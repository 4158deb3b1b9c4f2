'use client';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { PassDecision } from '@/domain/passes';
import { stateLabels } from '@/domain/states';

const mostListed = 10;

/** Before a pass applies: which clusters, and what they become. Ten or more ask for the number. */
export function RunDialog({
  chosen,
  isWhole,
  isOpen,
  isBusy,
  onOpenChange,
  onRun,
  notice,
}: {
  /** Ticked rows of a preview; empty for a whole pass without one. */
  chosen: readonly PassDecision[];
  /** Everything, as cron does it, not only the ticked rows. */
  isWhole: boolean;
  isOpen: boolean;
  isBusy: boolean;
  onOpenChange: (open: boolean) => void;
  onRun: () => void;
  notice: ReactNode;
}) {
  const cancel = useRef<HTMLButtonElement>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const asksNumber = chosen.length >= mostListed;
  const submit = () => {
    if (asksNumber && typed.trim() !== String(chosen.length)) {
      setError(`Type ${chosen.length} to confirm.`);
      return;
    }
    setError(undefined);
    setTyped('');
    onRun();
  };
  return (
    <Dialog
      title={isWhole ? 'Run recovery now' : `Recover ${chosen.length} ${chosen.length === 1 ? 'cluster' : 'clusters'}`}
      description={
        isWhole ? 'One pass, the same as cron runs.' : 'Each is recovered only if it is still as the preview saw it.'
      }
      open={isOpen}
      onOpenChange={onOpenChange}
      initialFocus={cancel}
      footer={
        <>
          <DialogClose ref={cancel} render={<Button>Cancel</Button>} />
          <Button variant="primary" isBusy={isBusy} onClick={submit}>
            {isWhole ? 'Run recovery' : `Recover ${chosen.length}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        {notice}
        {chosen.length === 0 ? (
          <p className="text-soft">
            Servers whose lease has run out are marked departed, clusters that nobody holds any more are freed, and the
            rest is checked against the cloud. Clusters with a live job are left alone.
          </p>
        ) : (
          <ul className="flex flex-col gap-1">
            {chosen.slice(0, mostListed).map((each) => (
              <li key={each.clusterId} className="flex flex-wrap justify-between gap-x-4">
                <span className="font-medium">{each.clusterName}</span>
                <span className="text-soft">
                  {each.becomes === null ? 'released, its state stays' : `becomes ${stateLabels[each.becomes]}`}
                </span>
              </li>
            ))}
            {chosen.length > mostListed ? <li className="text-faint">and {chosen.length - mostListed} more</li> : null}
          </ul>
        )}
        {asksNumber ? (
          <Field label={`Type the number of clusters, ${chosen.length}`} error={error}>
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <p className="text-xs text-faint">Closing this page does not stop a pass that has begun.</p>
      </div>
    </Dialog>
  );
}
