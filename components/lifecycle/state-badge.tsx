import { Badge } from '@/components/ui/badge';
import { classNames, toneClass } from '@/components/ui/class-names';
import { type ClusterState, stateLabels, stateMeanings } from '@/domain/states';
import { stateLooks } from './state-look';

/** A cluster's state: word, icon, colour; the raw name and its meaning are the title. `isQuiet` leaves the box out. */
export function StateBadge({ state, isQuiet = false }: { state: ClusterState; isQuiet?: boolean }) {
  const { tone, icon: Icon } = stateLooks[state];
  const title = `${state}: ${stateMeanings[state]}`;
  if (isQuiet) {
    return (
      <span
        title={title}
        className={classNames(
          'inline-flex items-center gap-1 text-xs whitespace-nowrap text-(--tone-fg)',
          toneClass[tone],
        )}
      >
        <Icon aria-hidden className="size-3 shrink-0" />
        {stateLabels[state]}
      </span>
    );
  }
  return (
    <Badge tone={tone} icon={Icon} title={title}>
      {stateLabels[state]}
    </Badge>
  );
}
