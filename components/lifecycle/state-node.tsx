import type { KeyboardEvent } from 'react';
import { classNames, toneClass } from '@/components/ui/class-names';
import { durationText } from '@/components/ui/time-format';
import type { Usual } from '@/db/queries/job-usual';
import { type ClusterState, stateLabels, stateMeanings } from '@/domain/states';
import { boxes } from './machine-layout';
import { stateLooks } from './state-look';

interface NodeProps {
  state: ClusterState;
  count: number | undefined;
  usual: Usual | undefined;
  isPresent: boolean;
  isSelected: boolean;
  isFaded: boolean;
  tabIndex: 0 | -1;
  onFocus: () => void;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function StateNode({
  state,
  count,
  usual,
  isPresent,
  isSelected,
  isFaded,
  tabIndex,
  onFocus,
  onClick,
  onKeyDown,
}: NodeProps) {
  const box = boxes[state];
  const { tone } = stateLooks[state];
  const second = secondLine(count, usual, isPresent);
  const name = [
    stateLabels[state],
    isPresent ? 'present state' : '',
    count === undefined ? '' : `${count} ${count === 1 ? 'cluster' : 'clusters'}`,
    usual === undefined ? '' : `usually ${durationText(usual.p50Ms)}`,
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: an SVG group cannot be a button element; it has the role, the keys and the name of one.
    <g
      role="button"
      data-state={state}
      tabIndex={tabIndex}
      aria-pressed={isSelected}
      aria-label={name.filter((part) => part !== '').join(', ')}
      onFocus={onFocus}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      onKeyDown={onKeyDown}
      className={classNames(
        'group/node cursor-pointer outline-none transition-opacity duration-150',
        toneClass[tone],
        isFaded && 'opacity-30',
      )}
    >
      <title>{`${state}: ${stateMeanings[state]}`}</title>
      <rect
        x={box.x - 4}
        y={box.y - 4}
        width={box.width + 8}
        height={box.height + 8}
        rx={13}
        fill="none"
        strokeWidth={2.5}
        className={classNames(
          'stroke-transparent group-focus-visible/node:stroke-accent',
          isPresent && 'stroke-(--tone-mark)',
        )}
      />
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={9} className="fill-surface" />
      <rect
        x={box.x}
        y={box.y}
        width={box.width}
        height={box.height}
        rx={9}
        className="fill-(--tone-bg) stroke-(--tone-mark) group-hover/node:stroke-2"
        strokeWidth={isSelected ? 2.5 : 1.2}
      />
      <text
        x={box.x + box.width / 2}
        y={box.y + (second === null ? 28 : 20)}
        textAnchor="middle"
        className="fill-(--tone-fg) text-[13px] font-semibold"
      >
        {stateLabels[state]}
      </text>
      {second === null ? null : (
        <text
          x={box.x + box.width / 2}
          y={box.y + 36}
          textAnchor="middle"
          className="fill-(--tone-fg) text-[11px] tabular-nums"
        >
          {second}
        </text>
      )}
    </g>
  );
}

function secondLine(count: number | undefined, usual: Usual | undefined, isPresent: boolean): string | null {
  const usualText = usual === undefined ? null : `≈ ${durationText(usual.p50Ms, true)}`;
  if (count === undefined) return isPresent ? 'now' : usualText;
  return [String(count), usualText].filter((part) => part !== null).join(' · ');
}
