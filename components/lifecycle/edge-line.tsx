import { classNames } from '@/components/ui/class-names';
import { type EdgeGroup, type EdgeKind, eventLabel } from './machine-edges';
import { arrowHead, pathData, routeOf } from './machine-geometry';

/** Line and dash tell the kinds apart without their colour. */
export const edgeStyles: Readonly<
  Record<EdgeKind, { className: string; width: number; dash: string | undefined; label: string }>
> = {
  requested: { className: 'text-faint', width: 1.4, dash: undefined, label: 'Asked for' },
  success: { className: 'text-(--success-mark)', width: 2.8, dash: undefined, label: 'Success' },
  failure: { className: 'text-(--danger-mark)', width: 1.6, dash: '7 4', label: 'Failure' },
  reconciliation: { className: 'text-(--violet-mark)', width: 2, dash: '1.5 4.5', label: 'By a pass' },
};

export function EdgeLine({
  group,
  isFaded,
  isLit,
  isCurrent,
}: {
  group: EdgeGroup;
  isFaded: boolean;
  isLit: boolean;
  isCurrent: boolean;
}) {
  const route = routeOf(group.key);
  const style = edgeStyles[group.kind];
  return (
    <g
      className={classNames(
        'transition-opacity duration-150',
        style.className,
        isFaded && 'opacity-12',
        !isFaded && !isLit && 'opacity-75',
      )}
    >
      <title>{group.events.map(eventLabel).join(', ')}</title>
      {isCurrent ? (
        <path
          d={pathData(route)}
          fill="none"
          stroke="var(--accent)"
          strokeOpacity={0.3}
          strokeWidth={10}
          strokeLinecap="round"
        />
      ) : null}
      <path
        d={pathData(route)}
        fill="none"
        stroke="currentColor"
        strokeWidth={style.width}
        strokeDasharray={style.dash}
        strokeLinecap={group.kind === 'reconciliation' ? 'round' : 'butt'}
      />
      <polygon points={arrowHead(route)} fill="currentColor" />
      {/* A wider invisible line, so that the pointer finds the title. */}
      <path d={pathData(route)} fill="none" stroke="transparent" strokeWidth={12} />
    </g>
  );
}
