'use client';
import { useState } from 'react';
import { Checkbox, Radio } from '@/components/ui/choice';
import { Field, FieldError, FieldGroup } from '@/components/ui/field';
import { NumberStepper } from '@/components/ui/number-stepper';
import type { ClusterDetail } from '@/db/queries/cluster-dto';
import { limits, scaleInput } from '@/domain/requests';
import { OfferingField } from './offering-field';
import { type OperationFormProps, OperationShell } from './operation-shell';

type Way = 'size' | 'nodes';

/** Size or single workers, and offerings; what is not touched is not sent. */
export function ScaleForm(props: OperationFormProps) {
  const { cluster, options, form } = props;
  const present = cluster.nodes.worker.total;
  const [way, setWay] = useState<Way>('size');
  const [size, setSize] = useState(String(present));
  const [nodeIds, setNodeIds] = useState<readonly string[]>([]);
  const [control, setControl] = useState(cluster.controlOfferingId);
  const [worker, setWorker] = useState(cluster.workerOfferingId);
  const sizeOff = sizeReason(cluster);
  const most = limits.maxNodes - cluster.nodes.control.total - cluster.nodes.etcd.total;
  const count = Number(size);
  const wantsSize = way === 'size' && sizeOff === undefined && count !== present;
  const input = {
    ...(wantsSize ? { workerCount: size } : {}),
    ...(way === 'nodes' && nodeIds.length > 0 ? { nodeIds } : {}),
    ...(control === cluster.controlOfferingId ? {} : { controlOfferingId: control }),
    ...(worker === cluster.workerOfferingId ? {} : { workerOfferingId: worker }),
  };
  const removable = cluster.nodeList.filter((node) => node.role === 'worker' && !node.external);
  const name = (id: string) => options.offerings.find((offering) => offering.id === id)?.name ?? id;
  return (
    <OperationShell
      {...props}
      schema={scaleInput}
      input={input}
      reason={Object.keys(input).length === 0 ? 'Nothing has been changed in the form.' : undefined}
      wanted={{
        ...(wantsSize && Number.isInteger(count) && count > 0 ? { workerCount: count } : {}),
        ...(way === 'nodes' && nodeIds.length > 0 ? { nodeIds } : {}),
        offerings: {
          ...(control === cluster.controlOfferingId ? {} : { control }),
          ...(worker === cluster.workerOfferingId ? {} : { worker }),
        },
      }}
      changes={[
        ...(wantsSize ? [`Workers ${present} → ${size} (${count > present ? '+' : ''}${count - present})`] : []),
        ...(way === 'nodes' && nodeIds.length > 0
          ? [`Workers ${present} → ${present - nodeIds.length}: ${nodeIds.length} chosen ones leave`]
          : []),
        ...(control === cluster.controlOfferingId
          ? []
          : [`Control nodes: ${name(cluster.controlOfferingId)} → ${name(control)}`]),
        ...(worker === cluster.workerOfferingId
          ? []
          : [`Workers: ${name(cluster.workerOfferingId)} → ${name(worker)}`]),
      ]}
      notes={wantsSize && count < present ? ['The newest workers leave; what runs on them is moved first.'] : []}
    >
      <FieldGroup legend="Workers" text={sizeOff}>
        {sizeOff === undefined ? (
          <>
            <div className="flex flex-wrap gap-4">
              <Radio name="way" label="Set the number" checked={way === 'size'} onChange={() => setWay('size')} />
              <Radio
                name="way"
                label="Take certain workers away"
                checked={way === 'nodes'}
                onChange={() => setWay('nodes')}
              />
            </div>
            {way === 'size' ? (
              <Field
                label="Number of workers"
                hint={`${present} now; at most ${most} beside its other nodes.`}
                error={form.issues['workerCount']}
              >
                {(ids) => (
                  <NumberStepper
                    control={ids}
                    name="workerCount"
                    label="workers"
                    value={size}
                    min={1}
                    max={most}
                    onChange={setSize}
                  />
                )}
              </Field>
            ) : (
              <div className="flex flex-col gap-2">
                {removable.map((node) => (
                  <Checkbox
                    key={node.id}
                    label={`worker-${node.ordinal}`}
                    hint={node.name}
                    checked={nodeIds.includes(node.id)}
                    onChange={(event) =>
                      setNodeIds(event.target.checked ? [...nodeIds, node.id] : nodeIds.filter((id) => id !== node.id))
                    }
                  />
                ))}
                {form.issues['nodeIds'] === undefined ? null : <FieldError text={form.issues['nodeIds']} />}
              </div>
            )}
          </>
        ) : null}
      </FieldGroup>
      <FieldGroup
        legend="Offerings"
        text={
          cluster.state === 'Stopped' || cluster.state === 'Created'
            ? undefined
            : 'While it runs, an offering can only become larger.'
        }
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <OfferingField
            label="Workers"
            offerings={options.offerings}
            value={worker}
            error={form.issues['workerOfferingId']}
            onChange={setWorker}
          />
          <OfferingField
            label="Control nodes"
            offerings={options.offerings}
            value={control}
            error={form.issues['controlOfferingId']}
            onChange={setControl}
          />
        </div>
      </FieldGroup>
    </OperationShell>
  );
}

function sizeReason(cluster: ClusterDetail): string | undefined {
  if (cluster.state === 'Stopped') return 'The size of a stopped cluster cannot change. Start it first.';
  if (cluster.autoscale !== null) return 'Autoscaling decides the size. Turn it off first, or change its bounds.';
  return undefined;
}
