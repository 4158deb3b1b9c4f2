'use client';
import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { Time } from '@/components/ui/time';
import { useLive } from './live-state';

/** Says when what is shown may be out of date, and when a newer build waits. */
export function LiveBanner() {
  const { health, heardAt, isOutdated } = useLive();
  return (
    <div role="status">
      {health === 'lost' || health === 'polling' ? (
        <Strip
          tone={health === 'lost' ? 'tone-danger' : 'tone-warning'}
          icon={<CloudOff aria-hidden className="size-4" />}
        >
          Live updates lost
          {heardAt === null ? '' : ', showing '}
          {heardAt === null ? null : <Time value={heardAt} mode="absolute" />}
          {health === 'polling' ? ', asking every 5 s' : ', retrying'}
        </Strip>
      ) : null}
      {isOutdated ? (
        <Strip tone="tone-info" icon={<RefreshCw aria-hidden className="size-4" />}>
          Holdfast was updated.{' '}
          <Button size="sm" onClick={() => location.reload()}>
            Reload this page
          </Button>
        </Strip>
      ) : null}
    </div>
  );
}

function Strip({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'flex min-h-9 items-center gap-2 border-b border-(--tone-line) bg-(--tone-bg) px-4 py-1 text-sm text-(--tone-fg) sm:px-6',
        tone,
      )}
    >
      {icon}
      <span>{children}</span>
    </div>
  );
}

/** Greys what is shown while the server does not answer. */
export function LiveDim({ children }: { children: ReactNode }) {
  const { health } = useLive();
  return (
    <div className={classNames('transition-[opacity,filter]', health === 'lost' && 'opacity-60 grayscale')}>
      {children}
    </div>
  );
}
