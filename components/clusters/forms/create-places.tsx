'use client';
import { Radio } from '@/components/ui/choice';
import { Field, FieldGroup } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import { Chooser } from './chooser';
import type { GroupProps } from './create-fields';
import { inZone } from './create-values';

/** Where the machines stand and what they are made from. */

export function NetworkGroup({ form, options }: GroupProps) {
  const { values, set, issues } = form;
  const networks = inZone(options.networks, values.zoneId);
  return (
    <FieldGroup legend="Network">
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Radio
          name="networkKind"
          label="A network of its own"
          hint="Made with the cluster, deleted with it."
          checked={values.networkKind === 'own'}
          onChange={() => set({ networkKind: 'own' })}
        />
        <Radio
          name="networkKind"
          label="An existing network"
          hint="Kept when the cluster is deleted."
          checked={values.networkKind === 'existing'}
          onChange={() => set({ networkKind: 'existing' })}
        />
      </div>
      {values.networkKind === 'own' ? (
        <Chooser
          label="Network offering"
          options={options.networkOfferings}
          value={values.networkOfferingId}
          error={issues['networkOfferingId']}
          onChange={(networkOfferingId) => set({ networkOfferingId })}
        />
      ) : (
        <Chooser
          label="Network"
          options={networks}
          value={values.networkId}
          error={issues['networkId']}
          onChange={(networkId) => set({ networkId })}
        />
      )}
    </FieldGroup>
  );
}

export function MachineGroup({ form, options }: GroupProps) {
  const { values, set, issues } = form;
  return (
    <FieldGroup legend="Machines">
      <div className="grid gap-4 sm:grid-cols-2">
        <Chooser
          label="Template"
          options={inZone(options.templates, values.zoneId)}
          value={values.templateId}
          error={issues['templateId']}
          onChange={(templateId) => set({ templateId })}
        />
        <Field label="SSH key pair" isOptional error={issues['sshKeyPair']}>
          {(control) => (
            <Select
              {...control}
              value={values.sshKeyPair}
              onChange={(event) => set({ sshKeyPair: event.target.value })}
            >
              <option value="">None</option>
              {options.sshKeyPairs.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </FieldGroup>
  );
}
