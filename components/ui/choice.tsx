'use client';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names';

type BoxProps = Omit<ComponentProps<'input'>, 'type' | 'id'> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
};

function Labelled({
  kind,
  label,
  hint,
  error,
  className,
  ...rest
}: BoxProps & { kind: 'checkbox' | 'radio' | 'switch' }) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasNote = hint !== undefined || error !== undefined;
  return (
    <div className={classNames('flex items-start gap-2.5', className)}>
      <input
        {...rest}
        id={id}
        type={kind === 'radio' ? 'radio' : 'checkbox'}
        role={kind === 'switch' ? 'switch' : undefined}
        aria-describedby={hasNote ? noteId : undefined}
        aria-invalid={error === undefined ? undefined : true}
        className={classNames(
          'mt-0.5 shrink-0 accent-(--accent)',
          kind === 'switch'
            ? 'relative h-5 w-9 appearance-none rounded-full border border-line-control bg-subtle transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-(--line-control) before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-surface'
            : 'size-4',
        )}
      />
      <div className="min-w-0">
        <label htmlFor={id} className="block text-sm font-medium">
          {label}
        </label>
        {hasNote ? (
          <p id={noteId} className="text-xs text-faint">
            {error === undefined ? null : <span className="block font-medium text-danger">{error}</span>}
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}

export function Checkbox(props: BoxProps) {
  return <Labelled {...props} kind="checkbox" />;
}

export function Radio(props: BoxProps) {
  return <Labelled {...props} kind="radio" />;
}

export function Switch(props: BoxProps) {
  return <Labelled {...props} kind="switch" />;
}
