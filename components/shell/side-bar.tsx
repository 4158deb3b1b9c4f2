'use client';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { routes } from '@/components/routes';
import { IconButton } from '@/components/ui/button';
import { classNames } from '@/components/ui/class-names';
import { BrandMark } from './brand-mark';
import { narrowCookie } from './narrow-cookie';
import { NavigationList } from './navigation-list';

/** The side bar of wide screens. Whether it is narrow is kept in a cookie, so that the server renders it right. */
export function SideBar({ startsNarrow }: { startsNarrow: boolean }) {
  const [isNarrow, setNarrow] = useState(startsNarrow);
  const toggle = () => {
    const next = !isNarrow;
    setNarrow(next);
    // biome-ignore lint/suspicious/noDocumentCookie: a preference that the server reads; no secret.
    document.cookie = `${narrowCookie}=${next ? '1' : '0'}; path=/; max-age=31536000; samesite=lax`;
  };
  const Icon = isNarrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      className={classNames(
        'no-print sticky top-0 hidden h-dvh shrink-0 flex-col gap-3 border-r border-line bg-surface p-2.5 md:flex',
        isNarrow ? 'w-14' : 'w-56',
      )}
    >
      <div className={classNames('flex h-8 items-center', isNarrow ? 'justify-center' : 'justify-between')}>
        <Link
          href={routes.overview}
          className="flex items-center gap-2 rounded-md px-1.5 text-sm font-semibold tracking-tight"
        >
          <BrandMark />
          <span className={isNarrow ? 'sr-only' : undefined}>Holdfast</span>
        </Link>
        {isNarrow ? null : (
          <IconButton
            label="Collapse the side bar"
            icon={<Icon aria-hidden className="size-4" />}
            size="icon-sm"
            onClick={toggle}
          />
        )}
      </div>
      {isNarrow ? (
        <IconButton
          className="self-center"
          label="Expand the side bar"
          icon={<Icon aria-hidden className="size-4" />}
          size="icon-sm"
          onClick={toggle}
        />
      ) : null}
      <NavigationList isNarrow={isNarrow} />
    </aside>
  );
}
