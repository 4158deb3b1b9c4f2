'use client';
import { useState } from 'react';
import { Checkbox, Radio } from '@/components/ui/choice';
import { Field, FieldError, FieldGroup } from '@/components/ui/field';
import { NumberStepper } from '@/components/ui/number-stepper';
import { limits, scaleInput } from '@/domain/requests';
import { OfferingField } from './offering-field';
import { type OperationFormProps, OperationShell } from './operation-shell';
import {
  firstScaleValues,
  type ScaleValues,
  scaleInputOf,
  scaleTexts,
  scaleWanted,
  shrinks,
  sizeReason,
} from './scale-values';

/** Size or single workers, and offerings; what is not touched is not sent. */
export function ScaleForm(props: OperationFormProps) {
  const { cluster, options, form } = props;
  const [values, setValues] = useState(() => firstScaleValues(cluster));
  const set = (change: Partial<ScaleValues>) => setValues({ ...values, ...change });
  const input = scaleInputOf(values, cluster);
  const isResting = cluster.state === 'Stopped' || cluster.state === 'Created';
  return (
    <OperationShell
      {...props}
      schema={scaleInput}
      input={input}
      wanted={scaleWanted(values, cluster)}
      reason={Object.keys(input).length === 0 ? 'Nothing has been changed in the form.' : undefined}
      changes={scaleTexts(values, cluster, options.offerings)}
      notes={shrinks(values, cluster) ? ['The newest workers leave; what runs on them is moved first.'] : []}
    >
      <WorkersGroup {...props} values={values} onChange={set} />
      <FieldGroup
        legend="Offerings"
        text={isResting ? undefined : 'While it runs, an offering can only become larger.'}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <OfferingField
            label="Workers"
            offerings={options.offerings}
            value={values.worker}
            error={form.issues['workerOfferingId']}
            onChange={(worker) => set({ worker })}
          />
          <OfferingField
            label="Control nodes"
            offerings={options.offerings}
            value={values.control}
            error={form.issues['controlOfferingId']}
            onChange={(control) => set({ control })}
          />
        </div>
      </FieldGroup>
    </OperationShell>
  );
}

type WorkersProps = OperationFormProps & { values: ScaleValues; onChange: (change: Partial<ScaleValues>) => void };

function WorkersGroup({ cluster, form, values, onChange }: WorkersProps) {
  const off = sizeReason(cluster);
  const most = limits.maxNodes - cluster.nodes.control.total - cluster.nodes.etcd.total;
  if (off !== undefined) {
    return (
      <FieldGroup legend="Workers" text={off}>
        <p className="text-sm">{cluster.nodes.worker.total} now.</p>
      </FieldGroup>
    );
  }
  return (
    <FieldGroup legend="Workers">
      <div className="flex flex-wrap gap-4">
        <Radio
          name="way"
          label="Set the number"
          checked={values.way === 'size'}
          onChange={() => onChange({ way: 'size' })}
        />
        <Radio
          name="way"
          label="Take certain workers away"
          checked={values.way === 'nodes'}
          onChange={() => onChange({ way: 'nodes' })}
        />
      </div>
      {values.way === 'size' ? (
        <Field
          label="Number of workers"
          hint={`${cluster.nodes.worker.total} now; at most ${most} beside its other nodes.`}
          error={form.issues['workerCount']}
        >
          {(ids) => (
            <NumberStepper
              control={ids}
              name="workerCount"
              label="workers"
              value={values.size}
              min={1}
              max={most}
              onChange={(size) => onChange({ size })}
            />
          )}
        </Field>
      ) : (
        <NodePicker
          cluster={cluster}
          chosen={values.nodeIds}
          error={form.issues['nodeIds']}
          onChange={(nodeIds) => onChange({ nodeIds })}
        />
      )}
    </FieldGroup>
  );
}

function NodePicker({
  cluster,
  chosen,
  error,
  onChange,
}: Pick<OperationFormProps, 'cluster'> & {
  chosen: readonly string[];
  error: string | undefined;
  onChange: (ids: readonly string[]) => void;
}) {
  return (
    <div className="flex flex-col gap-2">
      {cluster.nodeList
        .filter((node) => node.role === 'worker' && !node.external)
        .map((node) => (
          <Checkbox
            key={node.id}
            label={`worker-${node.ordinal}`}
            hint={node.name}
            checked={chosen.includes(node.id)}
            onChange={(event) =>
              onChange(event.target.checked ? [...chosen, node.id] : chosen.filter((id) => id !== node.id))
            }
          />
        ))}
      {error === undefined ? null : <FieldError text={error} />}
    </div>
  );
}
