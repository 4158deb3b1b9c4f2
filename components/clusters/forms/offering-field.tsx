'use client';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import type { OfferingOption } from '@/db/queries/catalogue';

export function offeringText(offering: OfferingOption): string {
  return `${offering.name} · ${offering.cpuCount} CPUs · ${offering.memoryMb / 1024} GB`;
}

/** A choice of offerings; those that cannot be taken are listed with the reason. */
export function OfferingField({
  label,
  offerings,
  value,
  error,
  minimum,
  hint,
  onChange,
}: {
  label: string;
  offerings: readonly OfferingOption[];
  value: string;
  error?: string | undefined;
  /** What the version needs. */
  minimum?: { readonly version: string; readonly minCpuCount: number; readonly minMemoryMb: number } | undefined;
  hint?: string;
  onChange: (id: string) => void;
}) {
  const off = (offering: OfferingOption) => {
    if (offering.off !== null) return offering.off;
    if (minimum === undefined) return null;
    const isEnough = offering.cpuCount >= minimum.minCpuCount && offering.memoryMb >= minimum.minMemoryMb;
    return isEnough ? null : `too small for ${minimum.version}`;
  };
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {value === '' ? <option value="">Choose an offering</option> : null}
          {offerings.map((offering) => {
            const reason = off(offering);
            return (
              <option key={offering.id} value={offering.id} disabled={reason !== null && offering.id !== value}>
                {offeringText(offering)}
                {reason === null ? '' : ` (${reason})`}
              </option>
            );
          })}
        </Select>
      )}
    </Field>
  );
}
