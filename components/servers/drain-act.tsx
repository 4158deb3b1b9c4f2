'use client';
import { useQuery } from '@tanstack/react-query';
import { CircleArrowDown, Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { drainServer, undrainServer } from '@/app/actions/recovery';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { useAction } from '@/components/refusals/use-action';
import { Button } from '@/components/ui/button';
import { Callout } from '@/components/ui/callout';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { FailedState, Skeleton } from '@/components/ui/states';
import type { ServerRow } from '@/db/queries/servers';
import type { Role } from '@/domain/actor';
import { HeldWorkTable } from './held-work-table';
import { serverQuery } from './server-queries';

/** Drain, or take it back. Before a drain stands what the server holds and what would become of it (interface B10). */
export function DrainAct({
  server,
  role,
  upCount,
  size = 'md',
}: {
  server: ServerRow;
  role: Role;
  upCount: number;
  size?: 'sm' | 'md';
}) {
  if (server.state === 'departed') return null;
  const reason = role === 'admin' ? undefined : 'Needs the role admin.';
  return server.isDraining ? (
    <Undrain server={server} reason={reason} size={size} />
  ) : (
    <Drain server={server} reason={reason} size={size} isLast={upCount <= 1 && server.state === 'up'} />
  );
}

interface ActProps {
  server: ServerRow;
  reason: string | undefined;
  size: 'sm' | 'md';
}

function Undrain({ server, reason, size }: ActProps) {
  const { run, isBusy } = useAction(undrainServer);
  const undrain = async () => {
    const answer = await run({ serverId: server.id });
    if (answer.kind === 'accepted') toast.success(`${server.name} takes new work again.`);
    else
      toast.error(answer.kind === 'refused' ? answer.refusal.message : 'The server did not answer.', {
        duration: Number.POSITIVE_INFINITY,
      });
  };
  return (
    <Button
      size={size}
      icon={<Undo2 aria-hidden className="size-3.5" />}
      reason={reason}
      isBusy={isBusy}
      onClick={() => void undrain()}
    >
      End draining
    </Button>
  );
}

function Drain({ server, reason, size, isLast }: ActProps & { isLast: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, outcome, forget } = useAction(drainServer);
  const cancel = useRef<HTMLButtonElement>(null);
  const drain = async () => {
    const answer = await run({ serverId: server.id });
    if (answer.kind !== 'accepted') return;
    toast.success(`${server.name} takes no new work.`);
    setOpen(false);
  };
  return (
    <>
      <Button
        size={size}
        icon={<CircleArrowDown aria-hidden className="size-3.5" />}
        reason={reason}
        onClick={() => setOpen(true)}
      >
        Drain
      </Button>
      <Dialog
        title={`Drain ${server.name}`}
        description="It takes no new operation and ends the ones it runs. It can be taken back."
        size="lg"
        open={isOpen}
        onOpenChange={(open) => {
          forget();
          setOpen(open);
        }}
        initialFocus={cancel}
        footer={
          <>
            <DialogClose ref={cancel} render={<Button>Cancel</Button>} />
            <Button variant="primary" isBusy={isBusy} onClick={() => void drain()}>
              Drain {server.name}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-4">
          <RefusalNotice outcome={outcome} />
          {isLast ? (
            <Callout tone="warning" title="It is the only server that is up">
              <p>While it drains, every new operation is refused.</p>
            </Callout>
          ) : null}
          {isOpen ? <BlastRadius serverId={server.id} name={server.name} /> : null}
        </div>
      </Dialog>
    </>
  );
}

function BlastRadius({ serverId, name }: { serverId: string; name: string }) {
  const { data, error, refetch } = useQuery(serverQuery(serverId));
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={3} label="Reading what it holds" />
    ) : (
      <FailedState title="What it holds could not be read" text={error.message} onRetry={() => void refetch()} />
    );
  if (data.held.length === 0)
    return <p className="text-sm text-soft">{name} holds nothing. It can be stopped at once.</p>;
  return (
    <section aria-label={`What ${name} holds`} className="flex flex-col gap-2 text-sm">
      <p className="text-soft">
        {data.held.length === 1 ? 'One operation runs' : `${data.held.length} operations run`} on it and will be ended
        by it. The last column says what recovery would do if it were killed instead.
      </p>
      <div className="rounded-lg border border-line">
        <HeldWorkTable held={data.held} />
      </div>
    </section>
  );
}
