'use client';
import { useState } from 'react';
import { Switch } from '@/components/ui/choice';
import { Field } from '@/components/ui/field';
import { NumberStepper } from '@/components/ui/number-stepper';
import { autoscaleInput, limits } from '@/domain/requests';
import { type OperationFormProps, OperationShell } from './operation-shell';

export function AutoscaleForm(props: OperationFormProps) {
  const { cluster, form } = props;
  const present = cluster.autoscale;
  const workers = cluster.nodes.worker.total;
  const most = limits.maxNodes - cluster.nodes.control.total - cluster.nodes.etcd.total;
  const [isOn, setOn] = useState(present !== null);
  const [min, setMin] = useState(String(present?.min ?? Math.min(workers, most - 1)));
  const [max, setMax] = useState(String(present?.max ?? Math.min(workers + 2, most)));
  const isSame = isOn
    ? present !== null && String(present.min) === min && String(present.max) === max
    : present === null;
  const before = present === null ? 'off' : `${present.min}–${present.max}`;
  return (
    <OperationShell
      {...props}
      schema={autoscaleInput}
      input={isOn ? { enabled: true, minSize: min, maxSize: max } : { enabled: false }}
      wanted={{ autoscale: isOn }}
      reason={isSame ? 'Nothing has been changed in the form.' : undefined}
      changes={isSame ? [] : [`Autoscaling ${before} → ${isOn ? `${min}–${max} workers` : 'off'}`]}
      notes={
        isOn
          ? ['Holdfast installs the cluster autoscaler; it asks for scales like anybody else.']
          : ['The number of workers stays as it is now.']
      }
    >
      <Switch
        label="Autoscaling"
        hint={`It has ${workers} ${workers === 1 ? 'worker' : 'workers'} now.`}
        checked={isOn}
        onChange={(event) => setOn(event.target.checked)}
        error={form.issues['enabled']}
      />
      {isOn ? (
        <div className="flex flex-wrap gap-6">
          <Field label="At least" hint="workers" error={form.issues['minSize']}>
            {(ids) => (
              <NumberStepper
                control={ids}
                name="minSize"
                label="workers at least"
                value={min}
                min={1}
                max={most}
                onChange={setMin}
              />
            )}
          </Field>
          <Field
            label="At most"
            hint={`workers; ${most} are possible beside its other nodes`}
            error={form.issues['maxSize'] ?? orderIssue(min, max)}
          >
            {(ids) => (
              <NumberStepper
                control={ids}
                name="maxSize"
                label="workers at most"
                value={max}
                min={2}
                max={most}
                onChange={setMax}
              />
            )}
          </Field>
        </div>
      ) : null}
    </OperationShell>
  );
}

/** Said while typing, before anything is sent. */
function orderIssue(min: string, max: string): string | undefined {
  return Number(max) <= Number(min) ? 'The maximum must be larger than the minimum.' : undefined;
}
