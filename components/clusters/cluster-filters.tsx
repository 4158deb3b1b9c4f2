'use client';
import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { FacetMenu } from '@/components/ui/facet-menu';
import { Input } from '@/components/ui/input';
import type { ClusterSearch } from '@/db/queries/cluster-conditions';
import type { ClusterList, ClusterPreset } from '@/db/queries/cluster-dto';
import { clusterStates, stateLabels } from '@/domain/states';
import { presets, type SearchChange } from './use-cluster-search';

const presetLabels: Readonly<Record<ClusterPreset, string>> = {
  all: 'All',
  attention: 'Needs attention',
  operating: 'Operating now',
  orphaned: 'Orphaned',
  stopped: 'Stopped',
  mine: 'Mine',
};

interface FilterProps {
  search: ClusterSearch;
  list: ClusterList | undefined;
  isFiltered: boolean;
  onChange: (change: SearchChange, options?: { isTyping?: boolean }) => void;
  onClear: () => void;
}

export function ClusterPresets({ search, list, onChange }: Pick<FilterProps, 'search' | 'list' | 'onChange'>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be narrower than what it holds.
    <div
      role="group"
      aria-label="Show"
      className="flex w-fit max-w-full gap-1 overflow-x-auto rounded-lg border border-line bg-surface p-0.5"
    >
      {presets.map((preset) => {
        const isChosen = search.preset === preset;
        return (
          <button
            key={preset}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChange({ preset: preset === 'all' ? null : preset })}
            className={classNames(
              'flex h-7 items-center gap-1.5 rounded-md px-2.5 text-sm whitespace-nowrap text-soft hover:text-ink',
              isChosen && 'bg-subtle font-medium text-ink',
            )}
          >
            {presetLabels[preset]}
            <span
              className={classNames('text-xs tabular-nums', isAlarming(preset, list) ? 'text-danger' : 'text-faint')}
            >
              {list?.presets[preset] ?? ''}
            </span>
          </button>
        );
      })}
    </div>
  );
}

function isAlarming(preset: ClusterPreset, list: ClusterList | undefined): boolean {
  return (preset === 'attention' || preset === 'orphaned') && (list?.presets[preset] ?? 0) > 0;
}

export function ClusterFilters({ search, list, isFiltered, onChange, onClear }: FilterProps) {
  const states = clusterStates.map((value) => ({
    value,
    label: stateLabels[value],
    count: list?.states.find((facet) => facet.value === value)?.count ?? 0,
  }));
  const options = (facets: ClusterList['zones'] | undefined) =>
    (facets ?? []).map((facet) => ({ ...facet, label: facet.value }));
  return (
    <search className="flex flex-wrap items-center gap-2">
      <TextFilter value={search.q} onChange={onChange} />
      <FacetMenu
        label="State"
        options={states.filter(
          (state) => state.count > 0 || search.state.includes(state.value) || state.value === 'Destroyed',
        )}
        chosen={search.state}
        onChange={(values) => onChange({ state: clusterStates.filter((state) => values.includes(state)) })}
      />
      <FacetMenu
        label="Version"
        options={options(list?.versions)}
        chosen={search.version}
        onChange={(version) => onChange({ version })}
      />
      <FacetMenu
        label="Zone"
        options={options(list?.zones)}
        chosen={search.zone}
        onChange={(zone) => onChange({ zone })}
      />
      {isFiltered ? (
        <Button variant="ghost" icon={<X aria-hidden className="size-3.5" />} onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** `/` puts the focus here from anywhere but a field. */
function TextFilter({ value, onChange }: { value: string; onChange: FilterProps['onChange'] }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isField =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isField) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <span className="relative w-72 max-w-full max-sm:w-full">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input
        ref={field}
        type="search"
        aria-label="Find clusters by name, id or owner"
        placeholder="Name, id or owner; -word leaves out"
        className="pl-8"
        value={value}
        onChange={(event) => onChange({ q: event.target.value === '' ? null : event.target.value }, { isTyping: true })}
      />
    </span>
  );
}
