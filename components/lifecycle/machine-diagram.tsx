'use client';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { routes } from '@/components/routes';
import { classNames } from '@/components/ui/class-names';
import type { Usual } from '@/db/queries/job-usual';
import { type ClusterState, clusterStates } from '@/domain/states';
import { EdgeLine } from './edge-line';
import { edgeGroups } from './machine-edges';
import { boxes, type EdgeKey, machineSize } from './machine-layout';
import { StateNode } from './state-node';

interface DiagramProps {
  /** How many clusters are in each state; left out for one cluster. */
  counts?: Readonly<Partial<Record<ClusterState, number>>> | undefined;
  dwell?: Readonly<Record<string, Usual>> | undefined;
  /** Edges that one cluster took; the others fade. */
  lit?: ReadonlySet<EdgeKey> | undefined;
  /** The edge that is shown as taken now. */
  current?: EdgeKey | undefined;
  present?: ClusterState | undefined;
  selected: ClusterState | null;
  onSelect: (state: ClusterState | null) => void;
  zoom: number;
}

/** The whole machine. Arrow keys go to the nearest connected state, Enter opens the clusters in it. */
export function MachineDiagram({ counts, dwell, lit, current, present, selected, onSelect, zoom }: DiagramProps) {
  const router = useRouter();
  const groups = useMemo(edgeGroups, []);
  const [entry, setEntry] = useState<ClusterState>(present ?? 'Running');
  const picture = useRef<SVGSVGElement>(null);
  const go = (event: KeyboardEvent, state: ClusterState) => {
    if (event.key === 'Enter') {
      router.push(routes.clustersIn({ state }));
      return;
    }
    if (event.key === 'Escape') onSelect(null);
    const direction = directions[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const connected = groups.flatMap((group) =>
      group.from === state ? [group.to] : group.to === state ? [group.from] : [],
    );
    const next = nearest(state, direction, connected) ?? nearest(state, direction, clusterStates);
    if (next === undefined) return;
    setEntry(next);
    picture.current?.querySelector<SVGGElement>(`[data-state="${next}"]`)?.focus();
  };
  const isFaded = (group: { key: EdgeKey; from: ClusterState; to: ClusterState }) =>
    selected !== null ? group.from !== selected && group.to !== selected : lit !== undefined && !lit.has(group.key);
  return (
    <section aria-label="Diagram of the states" className="overflow-auto" tabIndex={-1}>
      <svg
        ref={picture}
        viewBox={`0 0 ${machineSize.width} ${machineSize.height}`}
        role="group"
        aria-label="States and the ways between them. Arrow keys move between states; Enter opens the clusters in one. The table below says the same."
        className={classNames('block h-auto min-w-3xl select-none', zoom === 1 && 'w-full')}
        style={zoom === 1 ? undefined : { width: machineSize.width * zoom }}
      >
        <g aria-hidden>
          {groups.map((group) => (
            <EdgeLine
              key={group.key}
              group={group}
              isFaded={isFaded(group)}
              isCurrent={group.key === current}
              isLit={lit?.has(group.key) === true || selected !== null}
            />
          ))}
        </g>
        {clusterStates.map((state) => (
          <StateNode
            key={state}
            state={state}
            count={counts?.[state]}
            usual={dwell?.[state]}
            isPresent={state === present}
            isSelected={state === selected}
            isFaded={
              selected !== null &&
              state !== selected &&
              !groups.some(
                (group) =>
                  (group.from === selected && group.to === state) || (group.to === selected && group.from === state),
              )
            }
            tabIndex={state === entry ? 0 : -1}
            onFocus={() => {
              setEntry(state);
              onSelect(state);
            }}
            onClick={() => (selected === state ? onSelect(null) : onSelect(state))}
            onKeyDown={(event) => go(event, state)}
          />
        ))}
      </svg>
    </section>
  );
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};
/** What lies aside counts more than what lies far. */
const asidePenalty = 2;

/** The nearest of `among` in a direction. */
function nearest(
  from: ClusterState,
  [dx, dy]: readonly [number, number],
  among: readonly ClusterState[],
): ClusterState | undefined {
  const centre = (state: ClusterState) =>
    [boxes[state].x + boxes[state].width / 2, boxes[state].y + boxes[state].height / 2] as const;
  const [x, y] = centre(from);
  return among
    .filter((state) => state !== from)
    .map((state) => {
      const [sx, sy] = centre(state);
      const ahead = (sx - x) * dx + (sy - y) * dy;
      const aside = Math.abs((sx - x) * dy) + Math.abs((sy - y) * dx);
      return { state, ahead, cost: ahead + aside * asidePenalty };
    })
    .filter((each) => each.ahead > 0)
    .sort((a, b) => a.cost - b.cost)[0]?.state;
}
