'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Checkbox } from '@/components/ui/choice';
import { FieldError, FieldGroup } from '@/components/ui/field';
import { EmptyState } from '@/components/ui/states';
import { addNodesInput, removeNodesInput } from '@/domain/requests';
import { type OperationFormProps, OperationShell } from './operation-shell';

function toggled(chosen: readonly string[], id: string, isOn: boolean): readonly string[] {
  return isOn ? [...chosen, id] : chosen.filter((each) => each !== id);
}

export function AddNodesForm(props: OperationFormProps) {
  const { cluster, candidates, form } = props;
  const [machineIds, setMachineIds] = useState<readonly string[]>([]);
  const [manualUpgrade, setManualUpgrade] = useState(false);
  const [wipeConfirmed, setWipeConfirmed] = useState(false);
  const names = (candidates ?? []).filter((each) => machineIds.includes(each.id)).map((each) => each.name);
  return (
    <OperationShell
      {...props}
      schema={addNodesInput}
      input={{ machineIds, manualUpgrade, wipeConfirmed }}
      wanted={{ machineIds }}
      reason={machineIds.length === 0 ? 'Choose at least one machine.' : undefined}
      changes={names.length === 0 ? [] : [`Added as workers: ${names.join(', ')}`]}
      notes={['A machine that fails is given back; the others go on.']}
    >
      <FieldGroup
        legend="Machines"
        text={`In the network of ${cluster.name}, made from a template for Kubernetes, and in no cluster.`}
      >
        {candidates === null ? (
          <Callout tone="warning">
            The cloud did not say in time which machines there are. Open this form again.
          </Callout>
        ) : null}
        {candidates?.length === 0 ? (
          <EmptyState title="No machine can be added" text="Create one in the cluster's network first." />
        ) : null}
        {candidates?.map((machine) => (
          <Checkbox
            key={machine.id}
            label={machine.name}
            hint={machine.off ?? machine.ip}
            checked={machineIds.includes(machine.id)}
            disabled={machine.off !== null}
            onChange={(event) => setMachineIds(toggled(machineIds, machine.id, event.target.checked))}
          />
        ))}
        {form.issues['machineIds'] === undefined ? null : <FieldError text={form.issues['machineIds']} />}
      </FieldGroup>
      <FieldGroup legend="How">
        <Checkbox
          label="The disks of these machines are wiped"
          hint="They are set up from scratch. What is on them is lost."
          checked={wipeConfirmed}
          error={form.issues['wipeConfirmed']}
          onChange={(event) => setWipeConfirmed(event.target.checked)}
        />
        <Checkbox
          label="Upgrade them by hand"
          hint="Upgrades of the cluster leave these nodes to you."
          checked={manualUpgrade}
          onChange={(event) => setManualUpgrade(event.target.checked)}
        />
      </FieldGroup>
    </OperationShell>
  );
}

export function RemoveNodesForm(props: OperationFormProps) {
  const { cluster, form } = props;
  const [nodeIds, setNodeIds] = useState<readonly string[]>([]);
  const added = cluster.nodeList.filter((node) => node.external);
  const names = added.filter((node) => nodeIds.includes(node.id)).map((node) => node.name);
  return (
    <OperationShell
      {...props}
      schema={removeNodesInput}
      input={{ nodeIds }}
      wanted={{ nodeIds }}
      reason={nodeIds.length === 0 ? 'Choose at least one node.' : undefined}
      changes={names.length === 0 ? [] : [`Leave the cluster: ${names.join(', ')}`]}
      notes={['What runs on them is moved first.', 'The machines themselves are kept; they are yours.']}
    >
      <FieldGroup legend="Added machines" text="Nodes that Holdfast made leave by a scale instead.">
        {added.length === 0 ? <EmptyState title="It has no added machines" /> : null}
        {added.map((node) => (
          <Checkbox
            key={node.id}
            label={`worker-${node.ordinal}`}
            hint={node.name}
            checked={nodeIds.includes(node.id)}
            onChange={(event) => setNodeIds(toggled(nodeIds, node.id, event.target.checked))}
          />
        ))}
        {form.issues['nodeIds'] === undefined ? null : <FieldError text={form.issues['nodeIds']} />}
      </FieldGroup>
    </OperationShell>
  );
}
