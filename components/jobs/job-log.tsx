'use client';
import { useQuery } from '@tanstack/react-query';
import { ArrowDownToLine, Download, Pause } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { classNames } from '@/components/ui/class-names';
import { Panel } from '@/components/ui/panel';
import { EmptyState, FailedState, Skeleton } from '@/components/ui/states';
import { absoluteText } from '@/components/ui/time-format';
import { useTimeZone } from '@/components/ui/time-zone';
import type { LogLine } from '@/db/queries/job-log';
import { jobLogQuery } from './job-queries';

/** Following stops when the reader scrolls away from the end by more than this. */
const endSlackPx = 24;

/** What the job said, line by line. Follows the end while it runs; scrolling up or focusing a line pauses it. */
export function JobLog({ jobId, isOpen }: { jobId: string; isOpen: boolean }) {
  const { data, error, refetch, isFetching } = useQuery(jobLogQuery(jobId));
  const [follows, setFollows] = useState(isOpen);
  const box = useRef<HTMLOListElement>(null);
  const lastId = data?.at(-1)?.id;
  useEffect(() => {
    const list = box.current;
    if (follows && list !== null && lastId !== undefined) list.scrollTop = list.scrollHeight;
  }, [follows, lastId]);
  return (
    <Panel
      id="log"
      title="Log"
      flush
      actions={<LogActs jobId={jobId} isOpen={isOpen} follows={follows} onFollow={setFollows} />}
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={5} label="Loading the log" />
        ) : (
          <FailedState
            title="The log could not be read"
            text={error.message}
            onRetry={() => void refetch()}
            isBusy={isFetching}
          />
        )
      ) : data.length === 0 ? (
        <EmptyState
          title={isOpen ? 'No line yet' : 'No lines'}
          text={isOpen ? 'Lines appear here as its steps report.' : 'Its steps reported nothing.'}
        />
      ) : (
        <ol
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard.
          tabIndex={0}
          aria-label="Lines of the log"
          className="max-h-96 overflow-auto py-2 font-mono text-xs leading-5 -outline-offset-2"
          onFocus={(event) => event.target.matches(':focus-visible') && setFollows(false)}
          onScroll={(event) => {
            const list = event.currentTarget;
            if (follows && list.scrollHeight - list.scrollTop - list.clientHeight > endSlackPx) setFollows(false);
          }}
        >
          {data.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function LogActs({
  jobId,
  isOpen,
  follows,
  onFollow,
}: {
  jobId: string;
  isOpen: boolean;
  follows: boolean;
  onFollow: (follows: boolean) => void;
}) {
  const Icon = follows ? Pause : ArrowDownToLine;
  return (
    <>
      {isOpen ? (
        <Button
          size="sm"
          variant="ghost"
          aria-pressed={follows}
          icon={<Icon aria-hidden className="size-3.5" />}
          onClick={() => onFollow(!follows)}
        >
          {follows ? 'Pause' : 'Follow'}
        </Button>
      ) : null}
      <a
        className={buttonClass({ size: 'sm', variant: 'ghost' })}
        href={`/api/v1/jobs/${jobId}/log?download=1`}
        download
      >
        <Download aria-hidden className="size-3.5" />
        Download
      </a>
    </>
  );
}

function Line({ line }: { line: LogLine }) {
  const zone = useTimeZone();
  return (
    <li
      className={classNames(
        'grid grid-cols-[auto_minmax(0,13rem)_1fr] gap-x-3 px-4 hover:bg-subtle/60 max-sm:grid-cols-[auto_1fr]',
        line.level === 'error' && 'text-danger',
        line.level === 'warning' && 'text-warning',
      )}
    >
      <time dateTime={line.at} title={absoluteText(line.at, zone)} className="text-faint">
        {clockText(line.at, zone)}
      </time>
      <span className="truncate text-faint max-sm:hidden" title={line.step ?? undefined}>
        {line.step ?? ''}
      </span>
      <span className="min-w-0 break-words">
        {line.level === 'info' ? null : (
          <span className="font-semibold">{line.level === 'error' ? 'Error: ' : 'Warning: '}</span>
        )}
        {line.text}
      </span>
    </li>
  );
}

/** "12:03:10", in the reader's zone. */
function clockText(at: string, zone: 'utc' | 'local'): string {
  return absoluteText(at, zone, Date.parse(at)).replace(' UTC', '');
}
