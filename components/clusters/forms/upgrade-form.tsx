'use client';
import { useState } from 'react';
import { Callout } from '@/components/ui/callout';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/input';
import type { VersionOption } from '@/db/queries/versions';
import { upgradeInput } from '@/domain/requests';
import { canUpgrade, compareVersions } from '@/domain/versions';
import { type OperationFormProps, OperationShell } from './operation-shell';

/** Versions that this cluster may go to; the others are listed with the reason. */
export function UpgradeForm(props: OperationFormProps) {
  const { cluster, options, form } = props;
  const isMixed = cluster.nodeVersions.length > 1;
  const off = (version: VersionOption) => offReason(version, cluster);
  const newer = options.versions.filter(
    (version) => compareVersions(version.version, cluster.version) >= (isMixed ? 0 : 1),
  );
  const [chosen, setChosen] = useState(() => newer.filter((version) => off(version) === null).at(0)?.id ?? '');
  const target = options.versions.find((version) => version.id === chosen);
  const byHand = cluster.nodeList.filter((node) => node.manualUpgrade);
  const ready = target === undefined ? 0 : cluster.nodeList.filter((node) => node.version === target.version).length;
  return (
    <OperationShell
      {...props}
      schema={upgradeInput}
      input={{ kubernetesVersionId: chosen }}
      wanted={target === undefined ? {} : { version: target.version }}
      reason={chosen === '' ? 'No newer version is offered.' : undefined}
      changes={target === undefined ? [] : [`Kubernetes ${cluster.version} → ${target.version}`]}
      notes={[
        'Node by node: emptied, upgraded, opened again. The first control node goes first.',
        ...(ready > 0 && target !== undefined
          ? [`${ready} nodes have ${target.version} already and are skipped.`]
          : []),
        ...(byHand.length > 0 ? [`Left to you: ${byHand.map((node) => node.name).join(', ')}.`] : []),
      ]}
    >
      {isMixed ? (
        <Callout tone="warning" title="An upgrade was broken off">
          Its nodes run {cluster.nodeVersions.join(' and ')}. Upgrading to the newer one goes on with the nodes that are
          left.
        </Callout>
      ) : null}
      <Field
        label="To version"
        hint={`It runs ${cluster.version} now. One minor version at a time.`}
        error={form.issues['kubernetesVersionId']}
      >
        {(control) => (
          <Select {...control} className="max-w-sm" value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {chosen === '' ? <option value="">No newer version is offered</option> : null}
            {newer.map((version) => {
              const reason = off(version);
              return (
                <option key={version.id} value={version.id} disabled={reason !== null}>
                  {version.version}
                  {reason === null ? '' : ` (${reason})`}
                </option>
              );
            })}
          </Select>
        )}
      </Field>
    </OperationShell>
  );
}

function offReason(version: VersionOption, cluster: OperationFormProps['cluster']): string | null {
  if (!version.enabled) return 'disabled';
  if (version.zoneId !== null && version.zoneId !== cluster.zoneId) return 'another zone only';
  const answer = canUpgrade(cluster.version, version.version);
  return answer === 'fine' ? null : 'more than one minor version away';
}
