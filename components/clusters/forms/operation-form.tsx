'use client';
import type { ComponentType } from 'react';
import { useCluster } from '@/components/clusters/use-cluster';
import { CrumbLabel } from '@/components/shell/breadcrumb';
import type { FormOptions } from '@/db/queries/catalogue';
import type { menuOperations } from '@/domain/operations';
import type { PlanFacts } from '@/domain/plan-steps';
import { AutoscaleForm } from './autoscale-form';
import { AddNodesForm, RemoveNodesForm } from './node-forms';
import type { Candidate, OperationFormProps } from './operation-shell';
import { ScaleForm } from './scale-form';
import { DeleteForm, StartForm, StopForm } from './simple-forms';
import { UpgradeForm } from './upgrade-form';
import { useOperationForm } from './use-operation-form';

type MenuOperation = (typeof menuOperations)[number];

/** One small form an operation. */
const forms: Readonly<Record<MenuOperation, ComponentType<OperationFormProps>>> = {
  start: StartForm,
  stop: StopForm,
  scale: ScaleForm,
  autoscale: AutoscaleForm,
  upgrade: UpgradeForm,
  'add-nodes': AddNodesForm,
  'remove-nodes': RemoveNodesForm,
  delete: DeleteForm,
};

export function OperationForm({
  id,
  kind,
  openedSeq,
  facts,
  options,
  candidates,
  continuesJobId,
}: {
  id: string;
  kind: MenuOperation;
  openedSeq: number;
  facts: PlanFacts;
  options: FormOptions;
  candidates: readonly Candidate[] | null;
  continuesJobId: string | undefined;
}) {
  const cluster = useCluster(id);
  const form = useOperationForm({ cluster, kind, openedSeq, continuesJobId });
  const choice = cluster.operations.find((each) => each.kind === kind);
  if (choice === undefined) throw new Error(`the cluster came without a verdict on ${kind}`);
  const Form = forms[kind];
  return (
    <>
      <CrumbLabel segment={id} label={cluster.name} />
      <Form cluster={cluster} choice={choice} facts={facts} options={options} candidates={candidates} form={form} />
    </>
  );
}
