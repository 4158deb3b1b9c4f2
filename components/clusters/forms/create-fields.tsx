'use client';
import { Checkbox, Radio } from '@/components/ui/choice';
import { Field, FieldGroup } from '@/components/ui/field';
import { Input, Select, Textarea } from '@/components/ui/input';
import { NumberStepper } from '@/components/ui/number-stepper';
import type { FormOptions } from '@/db/queries/catalogue';
import { limits } from '@/domain/requests';
import { Chooser } from './chooser';
import { type CreateValues, versionsOf } from './create-values';
import { OfferingField } from './offering-field';
import type { CreateForm } from './use-create-form';

export interface GroupProps {
  form: CreateForm;
  options: FormOptions;
}

export function NameGroup({ form, options }: GroupProps) {
  const { values, set, issues } = form;
  return (
    <FieldGroup legend="Cluster">
      <Field
        label="Name"
        error={issues['name']}
        hint={`Lower-case letters, digits and hyphens; at most ${limits.maxNameLength}. It names the machines, too.`}
      >
        {(control) => (
          <Input
            {...control}
            name="name"
            spellCheck={false}
            autoCapitalize="none"
            className="max-w-sm"
            value={values.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label="Purpose" isOptional error={issues['description']}>
        {(control) => (
          <Input
            {...control}
            name="description"
            value={values.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Chooser
          label="Zone"
          options={options.zones}
          value={values.zoneId}
          error={issues['zoneId']}
          onChange={(zoneId) => set({ zoneId })}
        />
        <VersionField form={form} options={options} />
      </div>
    </FieldGroup>
  );
}

function VersionField({ form, options }: GroupProps) {
  const { values, set, issues } = form;
  return (
    <Field label="Kubernetes version" error={issues['kubernetesVersionId']}>
      {(control) => (
        <Select
          {...control}
          name="kubernetesVersionId"
          value={values.kubernetesVersionId}
          onChange={(event) => set({ kubernetesVersionId: event.target.value })}
        >
          {values.kubernetesVersionId === '' ? <option value="">No version is offered in this zone</option> : null}
          {versionsOf(options, values.zoneId).map((version) => (
            <option key={version.id} value={version.id} disabled={!version.enabled}>
              {version.version}
              {version.enabled ? '' : ' (disabled)'}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

const roleFields = [
  { count: 'controlCount', offering: 'controlOfferingId', label: 'Control nodes', plural: 'control nodes', min: 1 },
  { count: 'workerCount', offering: 'workerOfferingId', label: 'Workers', plural: 'workers', min: 1 },
  { count: 'etcdCount', offering: 'etcdOfferingId', label: 'Etcd nodes', plural: 'etcd nodes', min: 0 },
] as const;

export function SizeGroup({ form, options }: GroupProps) {
  const { values, set, issues } = form;
  const minimum = options.versions.find((version) => version.id === values.kubernetesVersionId);
  return (
    <FieldGroup
      legend="Size"
      text={`At most ${limits.maxNodes} nodes in all. Without etcd nodes the control nodes keep the data.`}
    >
      {roleFields.map(({ count, offering, label, plural, min }) => (
        <div key={count} className="grid items-start gap-x-4 gap-y-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <Field label={label} error={issues[count]}>
            {(control) => (
              <NumberStepper
                control={control}
                name={count}
                label={plural}
                value={values[count]}
                min={min}
                max={limits.maxNodes}
                onChange={(value) => set({ [count]: value })}
              />
            )}
          </Field>
          {Number(values[count]) === 0 && min === 0 ? null : (
            <OfferingField
              label={`Offering of ${plural}`}
              offerings={options.offerings}
              value={values[offering]}
              error={issues[offering]}
              minimum={minimum}
              onChange={(id) => set({ [offering]: id })}
            />
          )}
        </div>
      ))}
      <Field label="Root disk in GB" error={issues['rootDiskGb']}>
        {(control) => (
          <NumberStepper
            control={control}
            name="rootDiskGb"
            label="gigabytes"
            value={values.rootDiskGb}
            min={limits.minRootDiskGb}
            max={limits.maxRootDiskGb}
            onChange={(rootDiskGb) => set({ rootDiskGb })}
          />
        )}
      </Field>
    </FieldGroup>
  );
}

export function ChoiceGroup({ form }: Pick<GroupProps, 'form'>) {
  const { values, set, issues } = form;
  const box = (name: 'csiEnabled' | 'protected', label: string, hint: string) => (
    <Checkbox
      label={label}
      hint={hint}
      checked={values[name]}
      onChange={(event) => set({ [name]: event.target.checked } as Partial<CreateValues>)}
    />
  );
  return (
    <FieldGroup legend="Options">
      {box('csiEnabled', 'Volumes from CloudStack (CSI driver)', 'Workloads get their disks from the cloud.')}
      {box('protected', 'Protect against deletion', 'Nobody can delete it until an admin lifts this.')}
      <div className="flex flex-col gap-2">
        <Radio
          name="startNow"
          label="Start now"
          hint="Builds it at once."
          checked={values.startNow}
          onChange={() => set({ startNow: true })}
        />
        <Radio
          name="startNow"
          label="Only record it"
          hint="It rests in Created; its first start builds it."
          checked={!values.startNow}
          onChange={() => set({ startNow: false })}
        />
      </div>
      <Field label="Reason" isOptional hint="Kept with the job and its events." error={issues['note']}>
        {(control) => (
          <Textarea
            {...control}
            rows={2}
            maxLength={500}
            value={values.note}
            onChange={(event) => set({ note: event.target.value })}
          />
        )}
      </Field>
    </FieldGroup>
  );
}
