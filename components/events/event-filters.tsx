'use client';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { FilterSelect, SearchBox } from '@/components/jobs/job-filters';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { eventResults, eventTypes } from '@/domain/events';
import { eventPeopleQuery } from './event-queries';
import { actorKinds, type EventSearch, eventRanges, isEventFilterSet } from './event-search';
import { actorLook, rangeWords, resultLooks, typeWords } from './event-words';

type Change = (next: Partial<EventSearch>, history?: 'push' | 'replace') => void;

const known = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((each) => each === value) ?? null;

export function EventFilters({
  search,
  onChange,
  onClear,
}: {
  search: EventSearch;
  onChange: Change;
  onClear: () => void;
}) {
  const { data: people } = useQuery(eventPeopleQuery());
  return (
    <search aria-label="Filter the events" className="flex flex-wrap items-center gap-2">
      <SearchBox
        value={search.q ?? ''}
        placeholder="Words, cluster, id…"
        onSearch={(q) => onChange({ q: q === '' ? null : q }, 'replace')}
      />
      <FilterSelect
        label="Type"
        value={search.type}
        onChange={(type) => onChange({ type: known(eventTypes, type) })}
        options={eventTypes.map((type) => ({ value: type, label: typeWords[type] }))}
      />
      <FilterSelect
        label="Result"
        value={search.result}
        onChange={(result) => onChange({ result: known(eventResults, result) })}
        options={eventResults.map((result) => ({ value: result, label: resultLooks[result].label }))}
      />
      <FilterSelect
        label="Actor"
        value={search.actor}
        onChange={(actor) => onChange({ actor: known(actorKinds, actor) })}
        options={actorKinds.map((kind) => ({ value: kind, label: actorLook(kind).label }))}
      />
      <FilterSelect
        label="Name"
        value={search.by}
        onChange={(by) => onChange({ by })}
        options={(people ?? []).map((name) => ({ value: name, label: name }))}
      />
      <FilterSelect
        label="Time"
        value={search.range}
        onChange={(range) => onChange({ range: known(eventRanges, range) })}
        options={eventRanges.map((range) => ({ value: range, label: rangeWords[range] }))}
      />
      <IdFilter name="Cluster" value={search.cluster} onRemove={() => onChange({ cluster: null })} />
      <IdFilter name="Operation" value={search.job} onRemove={() => onChange({ job: null })} />
      <IdFilter name="Server" value={search.server} onRemove={() => onChange({ server: null })} />
      {isEventFilterSet(search) ? (
        <Button variant="ghost" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** A filter that came with a link; it can only be taken off. */
function IdFilter({ name, value, onRemove }: { name: string; value: string | null; onRemove: () => void }) {
  if (value === null) return null;
  return (
    <Badge className="h-8 rounded-md pr-1">
      {name} <span className="font-mono">{value.slice(0, 8)}</span>
      <button
        type="button"
        aria-label={`Take the filter ${name.toLowerCase()} off`}
        className="ml-1 inline-flex size-6 items-center justify-center rounded align-middle hover:bg-surface"
        onClick={onRemove}
      >
        <X aria-hidden className="size-3" />
      </button>
    </Badge>
  );
}
