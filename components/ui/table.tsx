// biome-ignore-all lint/a11y/noRedundantRoles: the roles are kept for the cards on phones, see below.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';
import { ScrollBox } from './scroll-box';

/*
 * Real tables. Below 640 px each row becomes a card: cells stand under each other, each with its column's name (`label`).
 * The roles are written out because `display: block` would take them away.
 */

/** Scrolls sideways when it must, and can be reached by keyboard then. `caption` is read out, not shown. */
export function Table({ caption, className, children }: { caption: string; className?: string; children: ReactNode }) {
  return (
    <ScrollBox label={caption} className="relative overflow-x-auto max-sm:overflow-visible">
      <table role="table" className={classNames('w-full border-collapse text-sm max-sm:block', className)}>
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </ScrollBox>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead role="rowgroup" className="max-sm:sr-only">
      <tr role="row" className="border-b border-line bg-subtle/50">
        {children}
      </tr>
    </thead>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    <tbody role="rowgroup" className="divide-y divide-line max-sm:block">
      {children}
    </tbody>
  );
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      role="row"
      {...rest}
      className={classNames(
        'group/row hover:bg-subtle/50 max-sm:relative max-sm:block max-sm:px-4 max-sm:py-3',
        className,
      )}
    />
  );
}

const headClass = 'h-8 px-3 text-left text-xs font-medium whitespace-nowrap text-faint first:pl-4 last:pr-4';

export function HeadCell({
  className,
  align,
  children,
  ...rest
}: Omit<ComponentProps<'th'>, 'align'> & { align?: 'left' | 'right' }) {
  return (
    <th
      role="columnheader"
      scope="col"
      {...rest}
      className={classNames(headClass, align === 'right' && 'text-right', className)}
    >
      {children}
    </th>
  );
}

/** A header that sorts. `direction` null: the table is sorted by another column. */
export function SortHeadCell({
  direction,
  onSort,
  children,
  className,
}: {
  direction: 'asc' | 'desc' | null;
  onSort: () => void;
  children: ReactNode;
  className?: string;
}) {
  const Icon = direction === null ? ChevronsUpDown : direction === 'asc' ? ArrowUp : ArrowDown;
  const sort = direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
  return (
    <th role="columnheader" scope="col" aria-sort={sort} className={classNames(headClass, className)}>
      <button
        type="button"
        onClick={onSort}
        className="-mx-1 inline-flex h-6 items-center gap-1 rounded px-1 hover:text-ink"
      >
        {children}
        <Icon aria-hidden className={classNames('size-3', direction === null && 'opacity-50')} />
      </button>
    </th>
  );
}

const cellClass =
  'px-3 py-2 align-top first:pl-4 last:pr-4 max-sm:flex max-sm:items-baseline max-sm:gap-3 max-sm:px-0 max-sm:py-0.5 max-sm:first:pl-0';

function PhoneLabel({ label }: { label: string | undefined }) {
  if (label === undefined) return null;
  return (
    <span aria-hidden className="hidden w-24 shrink-0 text-xs text-faint max-sm:block">
      {label}
    </span>
  );
}

/** `label` is the column's name, shown on phones. `onPhone` "hidden" leaves a minor cell out there. */
export function Cell({
  label,
  align,
  onPhone = 'shown',
  className,
  children,
  ...rest
}: Omit<ComponentProps<'td'>, 'align'> & { label?: string; align?: 'left' | 'right'; onPhone?: 'shown' | 'hidden' }) {
  return (
    <td
      role="cell"
      {...rest}
      className={classNames(
        cellClass,
        align === 'right' && 'text-right max-sm:text-left',
        onPhone === 'hidden' && 'max-sm:hidden',
        className,
      )}
    >
      <PhoneLabel label={label} />
      {label === undefined ? children : <div className="min-w-0 max-sm:flex-1">{children}</div>}
    </td>
  );
}

/** The cell that names its row. */
export function RowHeadCell({ className, children, ...rest }: ComponentProps<'th'>) {
  return (
    <th role="rowheader" scope="row" {...rest} className={classNames(cellClass, 'text-left font-normal', className)}>
      {children}
    </th>
  );
}
