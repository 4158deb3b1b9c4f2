'use client';
import { useState } from 'react';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { deleteInput, startInput, stopInput } from '@/domain/requests';
import { type OperationFormProps, OperationShell } from './operation-shell';

/** Operations that ask for nothing but themselves. */

export function StartForm(props: OperationFormProps) {
  const notes =
    props.cluster.state === 'Created'
      ? ['Its first start builds everything.']
      : ['A start also does what its creation left undone.'];
  return <OperationShell {...props} schema={startInput} input={{}} notes={notes} />;
}

export function StopForm(props: OperationFormProps) {
  const machines = props.cluster.nodeList.filter((node) => node.machineId !== null).length;
  return (
    <OperationShell
      {...props}
      schema={stopInput}
      input={{}}
      changes={
        machines === 0
          ? ['No machine is running.']
          : [`${machines} machines are stopped; disks, addresses and network are kept.`]
      }
      notes={['What runs in the cluster is cut off.']}
    />
  );
}

export function DeleteForm(props: OperationFormProps) {
  const { cluster } = props;
  const [typed, setTyped] = useState('');
  const isRetry = cluster.state === 'Destroying';
  const isTyped = typed === cluster.name;
  return (
    <OperationShell
      {...props}
      isDanger
      schema={deleteInput}
      input={{}}
      reason={isTyped ? undefined : 'Type the name of the cluster first.'}
      changes={gone(props)}
      notes={[
        'It cannot be undone.',
        isRetry
          ? 'What is gone already is skipped.'
          : 'A delete that fails stays in Destroying and is tried again by itself.',
      ]}
    >
      <Field
        label={
          <>
            Type <span className="font-mono select-all">{cluster.name}</span> to confirm
          </>
        }
      >
        {(control) => (
          <Input
            {...control}
            spellCheck={false}
            autoCapitalize="none"
            className="max-w-sm"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </OperationShell>
  );
}

function gone({ cluster, facts }: OperationFormProps): string[] {
  const count = cluster.nodeList.length;
  return [
    count === 0
      ? 'It has no machines.'
      : `Destroyed: ${count} ${count === 1 ? 'machine' : 'machines'} with their disks.`,
    ...(cluster.csiEnabled ? ['Deleted: the volumes of its workloads.'] : []),
    facts.network.networkOwned
      ? 'Released: its network, address and rules.'
      : 'Kept: the network it stands in. Its rules are removed.',
    'Forgotten: its certificates and keys; kubeconfigs stop working.',
    'Kept: its history, jobs and events.',
  ];
}
