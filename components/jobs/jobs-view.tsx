'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import Link from 'next/link';
import { RefusedRequests } from '@/components/events/refused-requests';
import { routes } from '@/components/routes';
import { buttonClass } from '@/components/ui/button-styles';
import { PageHeader } from '@/components/ui/page-header';
import { TabLinks } from '@/components/ui/tabs';
import { JobFilters } from './job-filters';
import { jobCountsQuery, jobsQuery } from './job-queries';
import { type JobSearch, type JobTabName, jobSearchQuery, jobTabNames } from './job-search';
import { looks } from './job-words';
import { JobsTable } from './jobs-table';
import { useJobSearch } from './use-job-search';

const tabLabel = (tab: JobTabName) => (tab === 'all' ? 'All' : tab === 'refused' ? 'Refused' : looks[tab].label);

export function JobsView() {
  const { search, ignored, change, clear } = useJobSearch();
  const { data: counts } = useQuery({ ...jobCountsQuery(search), placeholderData: keepPreviousData });
  // The same query as the table's: only for the name in the filter.
  const { data: page } = useQuery({ ...jobsQuery(search), enabled: search.tab !== 'refused' });
  const clusterName = page?.rows.find((row) => row.clusterId === search.cluster)?.clusterName ?? null;
  const hrefOf = (tab: JobTabName) => routes.jobsOf(jobSearchQuery({ ...search, tab, after: null }));
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Jobs"
        description="Every operation that was accepted, and what became of it."
        actions={<ExportLink search={search} />}
      />
      <div className="border-b border-line">
        <TabLinks
          label="Jobs by status"
          current={hrefOf(search.tab)}
          tabs={jobTabNames.map((tab) => ({ href: hrefOf(tab), label: tabLabel(tab), count: counts?.[tab] }))}
        />
      </div>
      <JobFilters
        search={search}
        clusterName={clusterName}
        onChange={(next, history) => void change(next, history)}
        onClear={() => void clear()}
      />
      {ignored.length === 0 ? null : (
        <p className="text-xs text-warning">
          The address asked for something that is not known here and was left out: {ignored.join(', ')}.
        </p>
      )}
      {search.tab === 'refused' ? (
        <RefusedRequests search={search} onPage={(after) => void change({ after })} onClear={() => void clear()} />
      ) : (
        <JobsTable
          search={search}
          onPage={(after) => void change({ after })}
          onClear={() => void clear()}
          emptyAction={<EmptyAction />}
        />
      )}
    </div>
  );
}

function ExportLink({ search }: { search: JobSearch }) {
  if (search.tab === 'refused') return null;
  const query = new URLSearchParams({ ...jobSearchQuery({ ...search, after: null }), format: 'csv' });
  return (
    <a href={`/api/v1/jobs/export?${query}`} download className={buttonClass({ variant: 'secondary' })}>
      <Download aria-hidden className="size-3.5" />
      CSV
    </a>
  );
}

function EmptyAction() {
  return (
    <Link href={routes.clusters} className={buttonClass({})}>
      Open the clusters
    </Link>
  );
}
