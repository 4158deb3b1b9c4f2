/*
 * components/versions — the Kubernetes versions that clusters are offered: their list, and what an admin does with one.
 */
import { CircleCheck, CircleHelp, CircleX, Hourglass, type LucideIcon } from 'lucide-react';
import type { Tone } from '@/components/ui/class-names';
import type { IsoState } from '@/db/queries/version-list';

export const isoLooks: Readonly<Record<IsoState, { label: string; tone: Tone; icon: LucideIcon; meaning: string }>> = {
  ready: { label: 'ready', tone: 'success', icon: CircleCheck, meaning: 'The cloud has its binaries ISO ready.' },
  'not-ready': {
    label: 'not ready',
    tone: 'warning',
    icon: Hourglass,
    meaning: 'The cloud lists the ISO but has not got it ready: creates and upgrades are refused until it has.',
  },
  gone: {
    label: 'gone',
    tone: 'danger',
    icon: CircleX,
    meaning: 'The cloud does not list the ISO any more: nothing can be created or grow with this version.',
  },
  unknown: { label: 'not known', tone: 'neutral', icon: CircleHelp, meaning: 'The cloud has not been read yet.' },
};

const mbOfGb = 1024;

/** "2 GB", "2560 MB". */
export function memoryText(memoryMb: number): string {
  return memoryMb % mbOfGb === 0 ? `${memoryMb / mbOfGb} GB` : `${memoryMb} MB`;
}

export function minimumText({ minCpuCount, minMemoryMb }: { minCpuCount: number; minMemoryMb: number }): string {
  return `${minCpuCount} CPUs, ${memoryText(minMemoryMb)}`;
}
