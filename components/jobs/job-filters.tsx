'use client';
import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Input, Select } from '@/components/ui/input';
import { operationKinds, operations } from '@/domain/operations';
import { jobFacetsQuery } from './job-queries';
import { isFiltered, type JobSearch } from './job-search';
import { shortId } from './job-words';

const typingPauseMs = 250;

/** Text, operation, server and person; the cluster comes with a link and can be taken off. */
export function JobFilters({
  search,
  clusterName,
  onChange,
  onClear,
}: {
  search: JobSearch;
  /** Of the cluster in the filter, where it is known. */
  clusterName: string | null;
  onChange: (next: Partial<JobSearch>, history?: 'push' | 'replace') => void;
  onClear: () => void;
}) {
  const { data: facets } = useQuery(jobFacetsQuery());
  return (
    <search aria-label="Filter the jobs" className="flex flex-wrap items-center gap-2">
      <SearchBox
        value={search.q ?? ''}
        placeholder="Cluster, job id…"
        onSearch={(q) => onChange({ q: q === '' ? null : q }, 'replace')}
      />
      <FilterSelect
        label="Operation"
        value={search.kind}
        onChange={(kind) => onChange({ kind })}
        options={operationKinds.map((kind) => ({ value: kind, label: operations[kind].label }))}
      />
      <FilterSelect
        label="Server"
        value={search.server}
        onChange={(server) => onChange({ server })}
        options={(facets?.servers ?? []).map((server) => ({
          value: server.id,
          label: `${server.name} · ${shortId(server.id)}${server.isDeparted ? ' (departed)' : ''}`,
        }))}
      />
      <FilterSelect
        label="Asked by"
        value={search.by}
        onChange={(by) => onChange({ by })}
        options={(facets?.people ?? []).map((name) => ({ value: name, label: name }))}
      />
      {search.cluster === null ? null : (
        <Badge className="h-8 rounded-md pr-1">
          Cluster {clusterName ?? shortId(search.cluster)}
          <button
            type="button"
            aria-label="Show the jobs of all clusters"
            className="ml-1 inline-flex size-6 items-center justify-center rounded align-middle hover:bg-surface"
            onClick={() => onChange({ cluster: null })}
          >
            <X aria-hidden className="size-3" />
          </button>
        </Badge>
      )}
      {isFiltered(search) ? (
        <Button variant="ghost" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  );
}

/** A search that waits for a pause in the typing; `/` brings the focus here. */
export function SearchBox({
  value,
  placeholder,
  onSearch,
}: {
  value: string;
  placeholder: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const box = useRef<HTMLInputElement>(null);
  // The address changed from elsewhere: the back button, or "clear filters".
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable]') !== null;
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  const send = (next: string, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setKnown(next.trim());
      onSearch(next.trim());
    }, afterMs);
  };
  return (
    <span className="relative w-full sm:w-60">
      <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
      <Input
        ref={box}
        type="search"
        aria-label="Search"
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={text}
        className="pl-8"
        onChange={(event) => {
          setText(event.target.value);
          send(event.target.value, typingPauseMs);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text, 0);
        }}
      />
    </span>
  );
}

/** One choice of a filter; its first entry takes the filter off and names it. */
export function FilterSelect({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: string | null;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | null) => void;
}) {
  const isUnknown = value !== null && !options.some((option) => option.value === value);
  return (
    <span className="max-w-56 min-w-0 max-sm:flex-1 max-sm:basis-32">
      <Select
        aria-label={label}
        value={value ?? ''}
        className={value === null ? 'text-soft' : 'font-medium'}
        onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">{label}: any</option>
        {isUnknown ? <option value={value}>{shortId(value)}</option> : null}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </span>
  );
}
