'use client';
import { useState } from 'react';
import { toast } from 'sonner';
import { endApiToken } from '@/app/actions/api-tokens';
import { Button } from '@/components/ui/button';
import { Confirm } from './confirm';
import { useAct } from './use-act';

export function RevokeToken({ id, name }: { id: string; name: string }) {
  const [isAsked, setAsked] = useState(false);
  const act = useAct(endApiToken, () => {
    toast.success(`The token “${name}” is revoked.`);
    setAsked(false);
  });
  return (
    <>
      <Button size="sm" aria-label={`Revoke ${name}`} onClick={() => setAsked(true)}>
        Revoke
      </Button>
      {isAsked ? (
        <Confirm
          title={`Revoke “${name}”?`}
          text="What uses it is refused from the next request on. It cannot be brought back."
          submit="Revoke"
          isDanger
          act={act}
          onSubmit={() => act.run({ id })}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  );
}
