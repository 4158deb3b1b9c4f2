'use client';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';

/** A secret that is shown this once. `value` null: closed. */
export function ShownOnce({
  title,
  text,
  label,
  value,
  onClose,
}: {
  title: string;
  text: string;
  label: string;
  value: string | null;
  onClose: () => void;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(value ?? '').then(
      () => setCopied(true),
      // Without permission it can still be selected and copied by hand.
      () => setCopied(false),
    );
  const close = () => {
    setCopied(false);
    onClose();
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <Dialog
      title={title}
      description={text}
      open={value !== null}
      onOpenChange={(open) => open || close()}
      footer={<DialogClose className={buttonClass({ variant: 'primary' })}>Done</DialogClose>}
    >
      <div className="flex gap-2">
        <Input
          aria-label={label}
          readOnly
          value={value ?? ''}
          onFocus={(event) => event.currentTarget.select()}
          className="font-mono text-xs"
        />
        <Button icon={<Icon aria-hidden className="size-3.5" />} onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <p role="status" className="mt-2 text-xs text-faint">
        {isCopied ? 'Copied.' : 'It is not stored and cannot be shown again.'}
      </p>
    </Dialog>
  );
}
