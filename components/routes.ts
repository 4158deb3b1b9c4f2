/** Addresses of pages, so that no page spells another one's address. */
import type { Route } from 'next';

export const routes = {
  overview: '/' as Route,
  clusters: '/clusters' as Route,
  newCluster: '/clusters/new' as Route,
  jobs: '/jobs' as Route,
  recovery: '/recovery' as Route,
  servers: '/servers' as Route,
  lifecycle: '/lifecycle' as Route,
  events: '/events' as Route,
  settings: '/settings' as Route,
  users: '/settings/users' as Route,
  tokens: '/settings/tokens' as Route,
  versions: '/settings/versions' as Route,
  cluster: (id: string, tab?: 'nodes' | 'jobs' | 'events' | 'lifecycle' | 'settings') =>
    `/clusters/${id}${tab === undefined ? '' : `/${tab}`}` as Route,
  operation: (id: string, kind: string) => `/clusters/${id}/do/${kind}` as Route,
  clustersIn: (query: Record<string, string>) => `/clusters?${new URLSearchParams(query)}` as Route,
  job: (id: string) => `/jobs/${id}` as Route,
  jobsOf: (query: Record<string, string>) => `/jobs?${new URLSearchParams(query)}` as Route,
  server: (id: string) => `/servers/${id}` as Route,
  recoveryRun: (id: number | string) => `/recovery/runs/${id}` as Route,
  eventsOf: (query: Record<string, string>) => `/events?${new URLSearchParams(query)}` as Route,
} as const;
