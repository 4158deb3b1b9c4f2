import { CircleCheck, CircleDashed } from 'lucide-react';
import { routes } from '@/components/routes';
import { ButtonLink } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';

/** An empty fleet: three steps, and where one stands. */
export function FirstSteps({ mayCreate }: { mayCreate: boolean }) {
  const steps = [
    { isDone: true, title: 'Sign in', text: 'You are here.' },
    {
      isDone: true,
      title: 'Connect a cloud',
      text: 'Zones, offerings and Kubernetes versions are read from it by themselves.',
    },
    {
      isDone: false,
      title: 'Create the first cluster',
      text: 'Holdfast builds its machines, watches them and repairs what it can.',
    },
  ];
  return (
    <Panel id="first-steps" title="Three steps to the first cluster" className="max-w-2xl">
      <ol className="flex flex-col gap-3">
        {steps.map(({ isDone, title, text }) => {
          const Icon = isDone ? CircleCheck : CircleDashed;
          return (
            <li key={title} className="flex gap-3">
              <Icon
                role="img"
                aria-label={isDone ? 'Done' : 'Next'}
                className={isDone ? 'mt-0.5 size-4 text-success' : 'mt-0.5 size-4 text-faint'}
              />
              <div>
                <p className="text-sm font-medium">{title}</p>
                <p className="text-sm text-faint">{text}</p>
              </div>
            </li>
          );
        })}
      </ol>
      <ButtonLink
        className="mt-4"
        variant="primary"
        href={routes.newCluster}
        reason={mayCreate ? undefined : 'Needs the role operator.'}
      >
        Create a cluster
      </ButtonLink>
    </Panel>
  );
}
