/** What each cause of attention means and what to do about it (interface B16, feature 28). */
import type { AttentionCode, HealthCheck } from '@/domain/attention';
import type { ClusterState } from '@/domain/states';

interface AttentionWords {
  readonly title: string;
  readonly meaning: string;
  readonly todo: string;
}

export const attentionWords: Readonly<Record<AttentionCode, AttentionWords>> = {
  'operation-failed': {
    title: 'An operation failed',
    meaning: 'A step failed while its server lived. What the steps before it did stays done.',
    todo: 'Read the failed step, then ask for the operation again: it goes on with what is missing.',
  },
  'create-failed': {
    title: 'Its creation failed',
    meaning: 'It was never complete. What was built is kept.',
    todo: 'Start it: that goes on with the steps that are not done. Or delete it.',
  },
  'orphan-recovered': {
    title: 'An operation lost its server',
    meaning: 'The server died in the middle. A recovery pass freed the cluster.',
    todo: 'Wait for the next check, or ask for the operation again.',
  },
  'ended-by-admin': {
    title: 'An admin ended an operation',
    meaning: 'It hung and was ended by hand.',
    todo: 'Check what it had done so far, then ask again.',
  },
  'drift-machines': {
    title: 'Machines are not as recorded',
    meaning: 'The cloud shows other machines, or other states, than this cluster should have.',
    todo: 'Start the missing machines in the cloud, or start the cluster.',
  },
  'drift-components': {
    title: 'A component is missing',
    meaning: 'Something that Holdfast installs is wanted and not there.',
    todo: 'The next check installs it if every node is healthy.',
  },
  'drift-versions': {
    title: 'Nodes run different versions',
    meaning: 'An upgrade was broken off: some nodes have the new version, some the old one.',
    todo: 'Upgrade again to the same version: nodes that have it are skipped.',
  },
  'drift-nodes': {
    title: 'It has fewer nodes than its size',
    meaning: 'Nodes are missing from the records.',
    todo: 'Scale it to the size you want, or start it.',
  },
  'foreign-write': {
    title: 'Somebody else changed its state',
    meaning: 'The change came from an older server or from a hand in the database. Holdfast cannot know what was done.',
    todo: 'Check it, then act: a start or stop brings records and machines together again.',
  },
  'delete-failed': {
    title: 'Its delete failed',
    meaning: 'Part of it is gone. The delete is tried again by itself.',
    todo: 'Remove what stands in the way, or retry the delete now.',
  },
};

/** The next thing that happens by itself in a state without an owner; null where nothing does. */
export function nextAutomaticAct(state: ClusterState, nodeCount: number): string | null {
  switch (state) {
    case 'Alert':
      return `sets Running if all ${nodeCount} nodes answer, or Stopped if every machine is stopped`;
    case 'Error':
      return 'makes it Running if its creation turns out to be complete';
    case 'Destroying':
      return 'tries the delete again';
    default:
      return null;
  }
}

export const verdictWords: Readonly<Record<HealthCheck['verdict'], string>> = {
  healthy: 'Every planned node is healthy.',
  'all-stopped': 'Every planned machine is stopped.',
  'not-yet': 'Not healthy yet.',
  unreachable: 'It could not be checked.',
};
