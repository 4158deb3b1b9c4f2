'use client';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names';

export interface FieldControl {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** Label, control, hint and error, tied together. `children` gets the id and descriptions for its control. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  className,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [error === undefined ? null : errorId, hint === undefined ? null : hintId].filter(
    (part) => part !== null,
  );
  return (
    <div className={classNames('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {isOptional ? <span className="ml-1.5 font-normal text-faint">optional</span> : null}
      </label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error === undefined ? null : <FieldError id={errorId} text={error} />}
      {hint === undefined ? null : (
        <p id={hintId} className="text-xs text-faint">
          {hint}
        </p>
      )}
    </div>
  );
}

export function FieldError({ id, text }: { id?: string; text: string }) {
  return (
    <p id={id} className="text-xs font-medium text-danger">
      {text}
    </p>
  );
}

/** A titled group of fields. */
export function FieldGroup({ legend, text, children }: { legend: string; text?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className="min-w-0 border-t border-line pt-4 first:border-t-0 first:pt-0">
      <legend className="contents">
        <span className="block text-sm font-semibold">{legend}</span>
      </legend>
      {text === undefined ? null : <p className="text-xs text-faint">{text}</p>}
      <div className="mt-3 grid gap-4">{children}</div>
    </fieldset>
  );
}
