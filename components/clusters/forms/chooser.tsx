'use client';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import type { Option } from '@/db/queries/catalogue';

/** A choice among things of the cloud; those that cannot be taken are listed with the reason. */
export function Chooser({
  label,
  options,
  value,
  error,
  onChange,
}: {
  label: string;
  options: readonly Option[];
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {value === '' ? <option value="">{options.length === 0 ? 'Nothing to choose' : 'Choose one'}</option> : null}
          {options.map((option) => (
            <option key={option.id} value={option.id} disabled={option.off !== null && option.id !== value}>
              {option.name}
              {option.off === null ? '' : ` (${option.off})`}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
