'use client';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import {
  changeKubernetesVersionMinimums,
  deleteKubernetesVersion,
  setKubernetesVersionEnabled,
} from '@/app/actions/versions';
import { Confirm } from '@/components/auth/confirm';
import { useAct, useFocusOnFailure } from '@/components/auth/use-act';
import type { VersionListItem } from '@/db/queries/version-list';
import { MinimumFields } from './minimum-fields';
import { minimumText } from './version-words';

interface QuestionProps {
  version: VersionListItem;
  onClose: () => void;
}

export function EnableQuestion({ version, onClose }: QuestionProps) {
  // Kept as asked: the list behind is renewed before this closes.
  const [enabled] = useState(!version.enabled);
  const act = useAct(setKubernetesVersionEnabled, () => {
    toast.success(`Kubernetes ${version.version} is ${enabled ? 'enabled' : 'disabled'}.`);
    onClose();
  });
  const text = enabled
    ? 'New clusters and upgrades are offered this version again.'
    : 'New clusters and upgrades are not offered it any more. Clusters that have it go on, and can be started, scaled and upgraded away from it.';
  return (
    <Confirm
      title={`${enabled ? 'Enable' : 'Disable'} Kubernetes ${version.version}?`}
      text={text}
      submit={enabled ? 'Enable' : 'Disable'}
      act={act}
      onSubmit={() => act.run({ versionId: version.id, enabled })}
      onClose={onClose}
    />
  );
}

export function MinimumsQuestion({ version, onClose }: QuestionProps) {
  const [asRead] = useState({ minCpuCount: version.minCpuCount, minMemoryMb: version.minMemoryMb });
  const [values, setValues] = useState({
    minCpuCount: String(asRead.minCpuCount),
    minMemoryMb: String(asRead.minMemoryMb),
  });
  const form = useRef<HTMLDivElement>(null);
  const act = useAct(changeKubernetesVersionMinimums, () => {
    toast.success(`What Kubernetes ${version.version} needs was changed.`);
    onClose();
  });
  useFocusOnFailure(form, act.failure);
  const isSame = values.minCpuCount === String(asRead.minCpuCount) && values.minMemoryMb === String(asRead.minMemoryMb);
  return (
    <Confirm
      title={`What a node of ${version.version} needs`}
      text={`Now ${minimumText(asRead)}. Smaller offerings are refused from now on, for new clusters and scales; nodes that are there stay.`}
      submit="Change"
      reason={isSame ? 'Nothing has been changed in the form.' : undefined}
      act={act}
      onSubmit={() => act.run({ versionId: version.id, asRead, wanted: values })}
      onClose={onClose}
    >
      <div ref={form}>
        <MinimumFields
          values={values}
          onChange={(changed) => setValues({ ...values, ...changed })}
          issues={{
            minCpuCount: act.failure?.issues['wanted.minCpuCount'],
            minMemoryMb: act.failure?.issues['wanted.minMemoryMb'],
          }}
        />
      </div>
    </Confirm>
  );
}

export function DeleteQuestion({ version, onClose }: QuestionProps) {
  const act = useAct(deleteKubernetesVersion, () => {
    toast.success(`Kubernetes ${version.version} was deleted.`);
    onClose();
  });
  return (
    <Confirm
      title={`Delete Kubernetes ${version.version}?`}
      text={`No cluster uses it. It leaves the list; the ISO ${version.isoName} stays in the cloud, so that it can be added again.`}
      submit="Delete"
      isDanger
      act={act}
      onSubmit={() => act.run({ versionId: version.id })}
      onClose={onClose}
    />
  );
}
