'use client';
import { Menu as Base } from '@base-ui/react/menu';
import type { Route } from 'next';
import Link from 'next/link';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names';

/** A button that opens a list of acts. */
export function Menu({
  trigger,
  label,
  align = 'end',
  children,
}: {
  trigger: ReactElement<Record<string, unknown>>;
  label: string;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50 outline-none">
          <Base.Popup
            aria-label={label}
            className="max-h-(--available-height) max-w-[min(22rem,calc(100vw-1.5rem))] min-w-44 overflow-y-auto rounded-lg border border-line-strong bg-raised p-1 text-sm shadow-float outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const item =
  'flex w-full items-start gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none select-none data-highlighted:bg-subtle';

interface ItemProps {
  icon?: ReactNode;
  /** Why it cannot be used now; shown under its name. The item can still be reached. */
  reason?: string | undefined;
  /** A word about what it would do, where that is not plain. */
  hint?: string | undefined;
  isDanger?: boolean;
  children: ReactNode;
}

function ItemBody({ icon, reason, hint, isDanger, children }: ItemProps) {
  const isOff = reason !== undefined;
  const note = reason ?? hint;
  const color = isOff ? 'text-faint' : isDanger ? 'text-danger' : undefined;
  return (
    <>
      {icon === undefined ? null : <span className={classNames('mt-0.75 shrink-0 text-soft', color)}>{icon}</span>}
      <span className="min-w-0">
        <span className={classNames('block', color)}>{children}</span>
        {note === undefined ? null : <span className="block text-xs text-faint">{note}</span>}
      </span>
    </>
  );
}

export function MenuItem({ onSelect, ...body }: ItemProps & { onSelect: () => void }) {
  const isOff = body.reason !== undefined;
  return (
    <Base.Item
      aria-disabled={isOff || undefined}
      closeOnClick={!isOff}
      className={classNames(item, isOff ? 'cursor-not-allowed' : 'cursor-pointer')}
      onClick={() => {
        if (!isOff) onSelect();
      }}
    >
      <ItemBody {...body} />
    </Base.Item>
  );
}

export function MenuLink({ href, ...body }: ItemProps & { href: Route }) {
  if (body.reason !== undefined) return <MenuItem {...body} onSelect={() => undefined} />;
  return (
    <Base.LinkItem closeOnClick render={<Link href={href} />} className={item}>
      <ItemBody {...body} />
    </Base.LinkItem>
  );
}

/** One of a few values; the chosen one is marked. */
export function MenuRadioGroup({
  label,
  value,
  onChange,
  options,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly { value: string; label: string }[];
}) {
  return (
    <Base.Group>
      <MenuLabel>{label}</MenuLabel>
      <Base.RadioGroup value={value} onValueChange={(next: string) => onChange(next)}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={classNames(item, 'cursor-pointer items-center')}
          >
            <span className="flex size-3.5 items-center justify-center">
              <Base.RadioItemIndicator className="size-1.5 rounded-full bg-accent" />
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

/** Must stand in a group of the menu. */
function MenuLabel({ children }: { children: ReactNode }) {
  return <Base.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs text-faint">{children}</Base.GroupLabel>;
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
}
