'use client';
import { useState } from 'react';
import { previewRecovery, runRecovery } from '@/app/actions/recovery';
import { useAction } from '@/components/refusals/use-action';
import type { PassReport } from '@/domain/passes';
import { isSelectable } from './decisions-table';

/** Preview, tick, run. What is shown comes from the answers, so nothing in it moves by itself. */
export function useRecovery() {
  const preview = useAction(previewRecovery);
  const run = useAction(runRecovery);
  const [report, setReport] = useState<PassReport | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  /** A pass that was under way when this reader asked. */
  const [inTheWay, setInTheWay] = useState<number | null>(null);
  const selectable = report?.mode === 'preview' ? report.decisions.filter(isSelectable) : [];
  const ticked = selectable.filter((each) => chosen.has(each.clusterId));

  const look = async () => {
    run.forget();
    const answer = await preview.run({});
    if (answer.kind !== 'accepted' || answer.value.kind !== 'done') return;
    setInTheWay(null);
    setReport(answer.value.report);
    setChosen(new Set(answer.value.report.decisions.filter(isSelectable).map((each) => each.clusterId)));
  };

  /** True when the dialog may close: it ran, or another pass is doing it. */
  const apply = async (): Promise<boolean> => {
    const only = ticked.map(({ clusterId, seenSeq }) => ({ clusterId, seenSeq }));
    const answer = await run.run(only.length === 0 ? {} : { only });
    if (answer.kind !== 'accepted') return false;
    const { value } = answer;
    setInTheWay(value.kind === 'already-running' ? value.passId : null);
    if (value.kind === 'done') {
      setReport(value.report);
      setChosen(new Set());
    }
    return true;
  };

  const toggle = (clusterId: string) => {
    const next = new Set(chosen);
    if (!next.delete(clusterId)) next.add(clusterId);
    setChosen(next);
  };
  const toggleAll = () => {
    const isAll = selectable.every((each) => chosen.has(each.clusterId));
    setChosen(isAll ? new Set() : new Set(selectable.map((each) => each.clusterId)));
  };
  return { preview, run, report, inTheWay, selectable, ticked, chosen, look, apply, toggle, toggleAll };
}
