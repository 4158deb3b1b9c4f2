import type { ReactNode } from 'react';
import { classNames } from './class-names';

export interface KeyValue {
  readonly label: string;
  readonly value: ReactNode;
}

/** Names and values in two columns. Values that are null are shown as a dash. */
export function KeyValues({ items, className }: { items: readonly KeyValue[]; className?: string }) {
  return (
    <dl className={classNames('grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-1.5 text-sm', className)}>
      {items.map((item) => (
        <div key={item.label} className="contents">
          <dt className="text-faint">{item.label}</dt>
          <dd className="min-w-0 break-words">{item.value ?? <span className="text-faint">–</span>}</dd>
        </div>
      ))}
    </dl>
  );
}
