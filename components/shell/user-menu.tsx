'use client';
import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useTransition } from 'react';
import { signOut } from '@/app/actions/sign-in';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from '@/components/ui/menu';
import { chooseTimeZone, useTimeZone } from '@/components/ui/time-zone';
import { useNow } from '@/components/ui/use-now';
import type { Role } from '@/domain/actor';

export function ThemeMenu() {
  const { theme, resolvedTheme, setTheme } = useTheme();
  // Which theme it is is known only in the browser; until then the icon is the neutral one.
  const isAlive = useNow() !== null;
  const Icon = isAlive ? (resolvedTheme === 'dark' ? Moon : Sun) : Monitor;
  return (
    <Menu label="Theme" trigger={<IconButton label="Theme" icon={<Icon aria-hidden className="size-4" />} />}>
      <MenuRadioGroup
        label="Theme"
        value={theme ?? 'system'}
        onChange={setTheme}
        options={[
          { value: 'system', label: 'As the system' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </Menu>
  );
}

export function UserMenu({ name, role }: { name: string; role: Role }) {
  const zone = useTimeZone();
  const [isLeaving, startLeaving] = useTransition();
  return (
    <Menu
      label="Account"
      trigger={
        <Button
          variant="ghost"
          aria-label={`Account of ${name}`}
          icon={<UserRound aria-hidden className="size-4" />}
          isBusy={isLeaving}
        >
          <span className="max-w-32 truncate max-lg:sr-only">{name}</span>
        </Button>
      }
    >
      <div className="px-2.5 pt-1.5 pb-2">
        <p className="truncate text-sm font-medium">{name}</p>
        <p className="text-xs text-faint">Role: {role}</p>
      </div>
      <MenuSeparator />
      <MenuRadioGroup
        label="Times"
        value={zone}
        onChange={(choice) => chooseTimeZone(choice === 'local' ? 'local' : 'utc')}
        options={[
          { value: 'utc', label: 'UTC' },
          { value: 'local', label: 'Local time' },
        ]}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden className="size-3.5" />} onSelect={() => startLeaving(() => signOut())}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
