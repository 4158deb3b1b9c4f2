'use client';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { routes } from '@/components/routes';
import { classNames } from '@/components/ui/class-names';
import type { Usual } from '@/db/queries/job-usual';
import { type ClusterState, clusterStates } from '@/domain/states';
import { EdgeLine } from './edge-line';
import { type EdgeGroup, edgeGroups } from './machine-edges';
import { type EdgeKey, machineSize } from './machine-layout';
import { nextByKey } from './nearest-state';
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
    const next = nextByKey(groups, state, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setEntry(next);
    picture.current?.querySelector<SVGGElement>(`[data-state="${next}"]`)?.focus();
  };
  return (
    <section aria-label="Diagram of the states" className="overflow-auto" tabIndex={-1}>
      {/* biome-ignore lint/a11y/useSemanticElements: an SVG is no fieldset; the role groups its states under one name. */}
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
              isFaded={isEdgeFaded(group, selected, lit)}
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
            isFaded={isStateFaded(groups, selected, state)}
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

/** With a chosen state only its own ways stand out, with a cluster's life only those it took. */
function isEdgeFaded(group: EdgeGroup, selected: ClusterState | null, lit: ReadonlySet<EdgeKey> | undefined): boolean {
  if (selected !== null) return group.from !== selected && group.to !== selected;
  return lit !== undefined && !lit.has(group.key);
}

function isStateFaded(groups: readonly EdgeGroup[], selected: ClusterState | null, state: ClusterState): boolean {
  if (selected === null || selected === state) return false;
  return !groups.some(({ from, to }) => (from === selected && to === state) || (to === selected && from === state));
}
