'use client';
import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { StateBadge } from '@/components/lifecycle/state-badge';
import { Panel } from '@/components/ui/panel';
import { durationText } from '@/components/ui/time-format';
import type { PlannedStep } from '@/domain/plan-steps';
import type { ClusterState } from '@/domain/states';

export interface WhatIfView {
  /** The states it goes through when all is well; one: it stays. */
  readonly path: readonly ClusterState[];
  /** What a person would say changes: "Workers 3 → 5 (+2)". */
  readonly changes?: readonly ReactNode[];
  /** Null: no plan can be made yet. */
  readonly steps: readonly PlannedStep[] | null;
  /** Where it goes when a step fails, or its server dies; null: the state stays as it is. */
  readonly failedTo: ClusterState | null;
  /** What else is worth knowing. */
  readonly notes?: readonly ReactNode[];
  readonly timing: { readonly leaseMs: number; readonly cronPeriodMs: number };
}

/** What an operation would do, before it is asked for (interface B7). */
export function WhatIf({ view }: { view: WhatIfView }) {
  const { path, changes = [], steps, notes = [] } = view;
  return (
    <Panel id="what-if" title="What would happen">
      <div className="flex flex-col gap-4 text-sm">
        <Part title="State">
          <p className="flex flex-wrap items-center gap-1.5">
            {path.map((state, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a state may come twice, and a path is never reordered.
              <span key={`${index} ${state}`} className="inline-flex items-center gap-1.5">
                {index === 0 ? null : <ArrowRight aria-label="then" className="size-3.5 text-faint" />}
                <StateBadge state={state} />
              </span>
            ))}
            {path.length === 1 ? <span className="text-faint">stays</span> : null}
          </p>
        </Part>
        {changes.length === 0 ? null : (
          <Part title="Changes">
            <Lines lines={changes} />
          </Part>
        )}
        {steps === null ? null : <Steps steps={steps} />}
        <Part title="If the server dies meanwhile">
          <Rescue view={view} />
        </Part>
        {notes.length === 0 ? null : (
          <Part title="Good to know">
            <Lines lines={notes} />
          </Part>
        )}
      </div>
    </Panel>
  );
}

/** While it is refused there is nothing to foretell. */
export function NothingWouldHappen() {
  return (
    <Panel id="what-if" title="What would happen">
      <p className="text-sm text-soft">
        Nothing: it is refused now. This form comes alive by itself as soon as the cluster allows it.
      </p>
    </Panel>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3 className="mb-1 text-xs font-medium text-faint">{title}</h3>
      {children}
    </div>
  );
}

function Lines({ lines }: { lines: readonly ReactNode[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {lines.map((line) => (
        <li key={String(line)}>{line}</li>
      ))}
    </ul>
  );
}

function Steps({ steps }: { steps: readonly PlannedStep[] }) {
  if (steps.length === 0) return <Part title="Steps">None: nothing has to be done.</Part>;
  return (
    <Part title={steps.length === 1 ? '1 step' : `${steps.length} steps`}>
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
        tabIndex={0}
        aria-label="Steps in their order"
        className="max-h-56 list-decimal overflow-y-auto rounded-md bg-subtle/60 py-1.5 pr-2 pl-8 text-soft marker:text-faint"
      >
        {steps.map((step) => (
          <li key={step.key}>{step.label}</li>
        ))}
      </ol>
    </Part>
  );
}

/** No failure event: a delete stays where it is and is tried again; a go-ahead operation never changed the state. */
function Stays({ view }: { view: WhatIfView }) {
  const held = view.path.length > 2 ? view.path[1] : undefined;
  if (held === undefined) return <>; its state stays as it is.</>;
  return (
    <>
      : it stays <StateBadge state={held} /> and is tried again by itself.
    </>
  );
}

function Rescue({ view }: { view: WhatIfView }) {
  const { leaseMs, cronPeriodMs } = view.timing;
  const within = durationText(leaseMs + cronPeriodMs);
  if (view.path.length > 1 && view.steps === null) return <>Nothing is running yet, so nothing can be lost.</>;
  return (
    <p className="flex flex-wrap items-center gap-1.5">
      Within about {within} a recovery pass frees it
      {view.failedTo === null ? (
        <Stays view={view} />
      ) : (
        <>
          : it becomes <StateBadge state={view.failedTo} />
        </>
      )}
    </p>
  );
}
