import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import type { Role } from '@/domain/actor';
import { Breadcrumb } from './breadcrumb';
import { PhoneNavigation } from './phone-navigation';
import { SideBar } from './side-bar';
import { ThemeMenu, UserMenu } from './user-menu';

interface ShellProps {
  user: { name: string; role: Role };
  environmentLabel: string | undefined;
  isCloudSimulated: boolean;
  startsNarrow: boolean;
  /** Lamp and choice of live updates. */
  live: ReactNode;
  /** Fleet-wide notices, above everything. */
  banners: ReactNode;
  children: ReactNode;
}

export function Shell({ user, environmentLabel, isCloudSimulated, startsNarrow, live, banners, children }: ShellProps) {
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-primary px-3 py-2 text-sm text-on-primary focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <SideBar startsNarrow={startsNarrow} />
      <div className="flex min-w-0 grow flex-col">
        <header className="no-print sticky top-0 z-30 flex h-13 items-center justify-between gap-3 border-b border-line bg-surface/95 px-3 backdrop-blur sm:px-5">
          <div className="flex min-w-0 items-center gap-2">
            <PhoneNavigation />
            <Breadcrumb />
          </div>
          <div className="flex shrink-0 items-center gap-1.5">
            {environmentLabel === undefined ? null : <Badge className="max-sm:hidden">{environmentLabel}</Badge>}
            {isCloudSimulated ? (
              <Badge
                tone="violet"
                icon={FlaskConical}
                className="max-sm:hidden"
                title="No real machines: Holdfast talks to the bundled simulated cloud."
              >
                Simulated cloud
              </Badge>
            ) : null}
            {live}
            <ThemeMenu />
            <UserMenu name={user.name} role={user.role} />
          </div>
        </header>
        {banners}
        <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[100rem] grow px-4 py-5 outline-none sm:px-6">
          {children}
        </main>
      </div>
    </div>
  );
}
