'use client';
import { Minus, Plus } from 'lucide-react';
import { classNames } from './class-names';
import type { FieldControl } from './field';

const step =
  'flex h-full w-8 shrink-0 items-center justify-center text-soft hover:bg-subtle aria-disabled:cursor-not-allowed aria-disabled:text-faint aria-disabled:opacity-50';

/** A whole number with minus and plus. Typing is free; the form says what is wrong with the value. */
export function NumberStepper({
  control,
  name,
  value,
  min,
  max,
  onChange,
  label,
  isOff = false,
}: {
  control: FieldControl;
  name: string;
  value: string;
  min: number;
  max: number;
  onChange: (value: string) => void;
  /** For the buttons: "Fewer workers" is made of it. */
  label: string;
  isOff?: boolean;
}) {
  const present = Number.parseInt(value, 10);
  const move = (by: number) => {
    if (!isOff) onChange(String(Math.min(max, Math.max(min, (Number.isNaN(present) ? min : present) + by))));
  };
  return (
    <div
      className={classNames(
        'flex h-8 w-32 items-stretch overflow-hidden rounded-md border border-line-control bg-surface focus-within:outline-2 focus-within:outline-accent',
        control['aria-invalid'] && 'border-danger-mark',
        isOff && 'bg-subtle',
      )}
    >
      <button
        type="button"
        className={step}
        aria-label={`Fewer ${label}`}
        aria-disabled={isOff || present <= min}
        onClick={() => move(-1)}
      >
        <Minus aria-hidden className="size-3.5" />
      </button>
      <input
        {...control}
        name={name}
        value={value}
        inputMode="numeric"
        autoComplete="off"
        readOnly={isOff}
        aria-disabled={isOff || undefined}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          move(event.key === 'ArrowUp' ? 1 : -1);
        }}
        className="w-full min-w-0 border-x border-line bg-transparent text-center text-sm tabular-nums outline-none"
      />
      <button
        type="button"
        className={step}
        aria-label={`More ${label}`}
        aria-disabled={isOff || present >= max}
        onClick={() => move(1)}
      >
        <Plus aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}
