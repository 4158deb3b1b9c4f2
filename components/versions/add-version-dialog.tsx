'use client';
import { Plus } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { toast } from 'sonner';
import { addKubernetesVersion } from '@/app/actions/versions';
import { FailureNote } from '@/components/auth/failure-note';
import { useAct, useFocusOnFailure } from '@/components/auth/use-act';
import { Button } from '@/components/ui/button';
import { buttonClass } from '@/components/ui/button-styles';
import { Dialog, DialogClose } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Select } from '@/components/ui/input';
import type { IsoChoice } from '@/db/queries/version-list';
import type { Zone } from '@/domain/cloud-catalogue';
import { limits } from '@/domain/requests';
import { MinimumFields } from './minimum-fields';

interface Offered {
  choices: readonly IsoChoice[];
  zones: readonly Zone[];
}

const minimums = {
  minCpuCount: String(limits.minOfferingCpuCount),
  minMemoryMb: String(limits.minOfferingMemoryMb),
};

function valuesOf(iso: IsoChoice | undefined) {
  return { isoId: iso?.id ?? '', version: iso?.version ?? '', zoneId: iso?.zoneId ?? null, ...minimums };
}

/** Adds a version from one of the cloud's ready ISOs. `noChoice`: why there is none. */
export function AddVersionDialog({ choices, zones, noChoice }: Offered & { noChoice: string | undefined }) {
  const formId = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [values, setValues] = useState(valuesOf(undefined));
  const add = useAct(addKubernetesVersion, ({ version }) => {
    toast.success(`Kubernetes ${version} was added. New clusters and upgrades are offered it.`);
    setOpen(false);
  });
  useFocusOnFailure(form, add.failure);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.run(values);
  };
  return (
    <>
      <Button
        variant="primary"
        reason={noChoice}
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => {
          setValues(valuesOf(choices[0]));
          setOpen(true);
        }}
      >
        Add version
      </Button>
      <Dialog
        title="Add Kubernetes version"
        description="From a binaries ISO that the cloud has ready."
        open={isOpen}
        onOpenChange={(open) => {
          setOpen(open);
          add.reset();
        }}
        footer={
          <>
            <DialogClose className={buttonClass({})}>Cancel</DialogClose>
            <Button type="submit" form={formId} variant="primary" isBusy={add.isBusy}>
              Add version
            </Button>
          </>
        }
      >
        <form ref={form} id={formId} onSubmit={submit} noValidate className="grid gap-4">
          <FailureNote failure={add.failure} />
          <IsoFields
            choices={choices}
            zones={zones}
            values={values}
            onChange={(changed) => setValues({ ...values, ...changed })}
            issues={add.failure?.issues ?? {}}
          />
          <fieldset>
            <legend className="mb-2 text-sm font-semibold">What a node needs at least</legend>
            <MinimumFields
              values={values}
              onChange={(changed) => setValues({ ...values, ...changed })}
              issues={{
                minCpuCount: add.failure?.issues['minCpuCount'],
                minMemoryMb: add.failure?.issues['minMemoryMb'],
              }}
            />
          </fieldset>
        </form>
      </Dialog>
    </>
  );
}

const everyZone = '';

function IsoFields({
  choices,
  zones,
  values,
  onChange,
  issues,
}: Offered & {
  values: ReturnType<typeof valuesOf>;
  onChange: (changed: Partial<ReturnType<typeof valuesOf>>) => void;
  issues: Readonly<Record<string, string>>;
}) {
  const isoZone = choices.find((iso) => iso.id === values.isoId)?.zoneId ?? null;
  const offered = isoZone === null ? zones : zones.filter((zone) => zone.id === isoZone);
  return (
    <>
      <Field label="Binaries ISO" error={issues['isoId']}>
        {(control) => (
          <Select
            {...control}
            value={values.isoId}
            onChange={(event) => {
              const { isoId, version, zoneId } = valuesOf(choices.find((iso) => iso.id === event.target.value));
              onChange({ isoId, version, zoneId });
            }}
          >
            {choices.map((iso) => (
              <option key={iso.id} value={iso.id}>
                {iso.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Version" hint="As the ISO names it, without a v." error={issues['version']}>
          {(control) => (
            <Input
              {...control}
              value={values.version}
              maxLength={40}
              className="font-mono"
              onChange={(event) => onChange({ version: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Zone"
          hint={isoZone === null ? 'Where clusters are offered it.' : 'The ISO is in this zone only.'}
          error={issues['zoneId']}
        >
          {(control) => (
            <Select
              {...control}
              value={values.zoneId ?? everyZone}
              onChange={(event) => onChange({ zoneId: event.target.value === everyZone ? null : event.target.value })}
            >
              {isoZone === null ? <option value={everyZone}>Every zone</option> : null}
              {offered.map((zone) => (
                <option key={zone.id} value={zone.id}>
                  {zone.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
    </>
  );
}
