'use client';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NumberStepper } from '@/components/ui/number-stepper';
import { limits } from '@/domain/requests';
import { memoryText } from './version-words';

export interface Minimums {
  readonly minCpuCount: string;
  readonly minMemoryMb: string;
}

const mostCpus = 64;

/** The smallest offering that a node of a version may have. */
export function MinimumFields({
  values,
  onChange,
  issues,
}: {
  values: Minimums;
  onChange: (changed: Partial<Minimums>) => void;
  issues: Partial<Record<keyof Minimums, string | undefined>>;
}) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="CPUs"
        hint={issues.minCpuCount === undefined ? `At least ${limits.minOfferingCpuCount}.` : undefined}
        error={issues.minCpuCount}
      >
        {(control) => (
          <NumberStepper
            control={control}
            name="minCpuCount"
            label="CPUs"
            value={values.minCpuCount}
            min={limits.minOfferingCpuCount}
            max={mostCpus}
            onChange={(minCpuCount) => onChange({ minCpuCount })}
          />
        )}
      </Field>
      <Field
        label="Memory in MB"
        hint={issues.minMemoryMb === undefined ? memoryHint(values.minMemoryMb) : undefined}
        error={issues.minMemoryMb}
      >
        {(control) => (
          <Input
            {...control}
            name="minMemoryMb"
            inputMode="numeric"
            value={values.minMemoryMb}
            onChange={(event) => onChange({ minMemoryMb: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** What a number of megabytes amounts to; until it is one, what it must be. The error says it where it is too small. */
function memoryHint(text: string): string {
  const memoryMb = Number(text);
  return Number.isInteger(memoryMb) && memoryMb > limits.minOfferingMemoryMb
    ? `That is ${memoryText(memoryMb)}.`
    : `At least ${limits.minOfferingMemoryMb}.`;
}
