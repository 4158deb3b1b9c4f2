'use client';
import { RefusalNotice } from '@/components/refusals/refusal-notice';
import { routes } from '@/components/routes';
import { Callout } from '@/components/ui/callout';
import { durationText } from '@/components/ui/time-format';
import type { FormOptions } from '@/db/queries/catalogue';
import { ChoiceGroup, NameGroup, SizeGroup } from './create-fields';
import { MachineGroup, NetworkGroup } from './create-places';
import { createPlan, sizeText } from './create-values';
import { FormShell } from './form-shell';
import { useCreateForm } from './use-create-form';
import { WhatIf, type WhatIfView } from './what-if';

/** A catalogue older than this is said to be old. */
const oldMs = 5 * 60_000;

export function CreateClusterForm({ options, timing }: { options: FormOptions; timing: WhatIfView['timing'] }) {
  const form = useCreateForm(options);
  const { values, outcome, isBusy, submit } = form;
  const view: WhatIfView = {
    path: values.startNow ? ['Created', 'Starting', 'Running'] : ['Created'],
    failedTo: values.startNow ? 'Alert' : null,
    steps: values.startNow ? createPlan(values) : [],
    changes: [sizeText(values, options)],
    notes: [
      ...(values.startNow
        ? ['A step that fails while it is built leaves it in Error; a start goes on from there.']
        : ['Nothing is built until its first start.']),
      'Quota and capacity are checked before it is accepted.',
    ],
    timing,
  };
  return (
    <FormShell
      title="Create a cluster"
      description="Checked while you type; nothing is built before it is accepted."
      notice={
        <>
          <CatalogueNotice options={options} />
          <RefusalNotice outcome={outcome} />
        </>
      }
      whatIf={<WhatIf view={view} />}
      submitLabel={values.startNow ? 'Create and start' : 'Create'}
      isBusy={isBusy}
      cancelHref={routes.clusters}
      onSubmit={submit}
    >
      <NameGroup form={form} options={options} />
      <SizeGroup form={form} options={options} />
      <NetworkGroup form={form} options={options} />
      <MachineGroup form={form} options={options} />
      <ChoiceGroup form={form} />
    </FormShell>
  );
}

function CatalogueNotice({ options }: { options: FormOptions }) {
  if (options.ageMs === null) {
    return (
      <Callout tone="danger" title="The cloud has not been read yet">
        Zones, offerings and templates are not known. Once the cloud answers, open this form again.
      </Callout>
    );
  }
  if (options.ageMs < oldMs) return null;
  return (
    <Callout tone="warning" title="The cloud does not answer">
      These choices were read {durationText(options.ageMs, true)} ago. A cluster is only accepted once the cloud answers
      again.
    </Callout>
  );
}
