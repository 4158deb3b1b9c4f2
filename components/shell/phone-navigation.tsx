'use client';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { NavigationList } from './navigation-list';

/** On phones the sections come as a sheet. */
export function PhoneNavigation() {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="md:hidden">
      <IconButton
        label="Open the navigation"
        icon={<MenuIcon aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      />
      <Dialog kind="sheet" title="Holdfast" open={isOpen} onOpenChange={setOpen}>
        <div className="-mx-2 flex min-h-[70vh] flex-col">
          <NavigationList isNarrow={false} onNavigate={() => setOpen(false)} />
        </div>
      </Dialog>
    </div>
  );
}
