'use client';
import { Menu as Base } from '@base-ui/react/menu';
import { Check, ChevronDown } from 'lucide-react';
import { Button } from './button';
import { classNames } from './class-names';

export interface FacetOption {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

/** A filter by the values of one property, each with how many it would show. Several may be chosen. */
export function FacetMenu({
  label,
  options,
  chosen,
  onChange,
}: {
  label: string;
  options: readonly FacetOption[];
  chosen: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const names = options.filter((option) => chosen.includes(option.value)).map((option) => option.label);
  const shown = names.length === 0 ? '' : names.length === 1 ? names[0] : `${chosen.length} chosen`;
  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, value] : chosen.filter((each) => each !== value));
  return (
    <Base.Root>
      <Base.Trigger
        render={
          <Button className={classNames(chosen.length > 0 && 'border-accent/60 bg-accent-soft')}>
            {label}
            {shown === '' ? null : <span className="max-w-32 truncate font-normal">{shown}</span>}
            <ChevronDown aria-hidden className="size-3.5 text-faint" />
          </Button>
        }
      />
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} className="z-50 outline-none">
          <Base.Popup
            aria-label={label}
            className="max-h-(--available-height) min-w-52 overflow-y-auto rounded-lg border border-line-strong bg-raised p-1 text-sm shadow-float outline-none"
          >
            {options.length === 0 ? <p className="px-2.5 py-1.5 text-faint">Nothing to choose.</p> : null}
            {options.map((option) => (
              <Base.CheckboxItem
                key={option.value}
                checked={chosen.includes(option.value)}
                onCheckedChange={(isOn) => toggle(option.value, isOn)}
                closeOnClick={false}
                className="flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 outline-none select-none data-highlighted:bg-subtle"
              >
                <span className="flex size-4 items-center justify-center rounded border border-line-control">
                  <Base.CheckboxItemIndicator>
                    <Check aria-hidden className="size-3" />
                  </Base.CheckboxItemIndicator>
                </span>
                <span className="grow">{option.label}</span>
                <span className="text-xs text-faint tabular-nums">{option.count}</span>
              </Base.CheckboxItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
