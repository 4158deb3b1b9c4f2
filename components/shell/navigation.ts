/*
 * components/shell — the frame of every signed-in page: side bar, header, breadcrumb, live control.
 */
import {
  Activity,
  Boxes,
  LayoutDashboard,
  ListTree,
  type LucideIcon,
  Server,
  Settings,
  ShieldCheck,
  Workflow,
} from 'lucide-react';
import type { Route } from 'next';
import { routes } from '@/components/routes';

export type BadgeName = 'attention' | 'inProgress' | 'recovery' | 'serversNotUp';

export interface NavigationEntry {
  readonly href: Route;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly badge?: BadgeName;
}

export const navigation: readonly NavigationEntry[] = [
  { href: routes.overview, label: 'Overview', icon: LayoutDashboard },
  { href: routes.clusters, label: 'Clusters', icon: Boxes, badge: 'attention' },
  { href: routes.jobs, label: 'Jobs', icon: Activity, badge: 'inProgress' },
  { href: routes.recovery, label: 'Recovery', icon: ShieldCheck, badge: 'recovery' },
  { href: routes.servers, label: 'Servers', icon: Server, badge: 'serversNotUp' },
  { href: routes.lifecycle, label: 'Lifecycle', icon: Workflow },
  { href: routes.events, label: 'Events', icon: ListTree },
];

export const settingsEntry: NavigationEntry = { href: routes.settings, label: 'Settings', icon: Settings };

/** Whether a page belongs to an entry: the overview only to itself. */
export function isWithin(pathname: string, href: string): boolean {
  return href === '/' ? pathname === '/' : pathname === href || pathname.startsWith(`${href}/`);
}
