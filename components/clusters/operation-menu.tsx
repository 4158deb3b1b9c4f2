'use client';
import { Ellipsis } from 'lucide-react';
import { routes } from '@/components/routes';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuLink, MenuSeparator } from '@/components/ui/menu';
import type { OperationChoice } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';
import { choiceHint, operationIcons } from './operation-look';

/** All eight operations, always in the same place; those that are off say why. */
export function OperationMenu({
  cluster,
  isLabelled = false,
}: {
  cluster: { id: string; name: string; operations: readonly OperationChoice[] };
  /** On phones the button says what it opens; there it is the only way to the operations. */
  isLabelled?: boolean;
}) {
  const dots = <Ellipsis aria-hidden className="size-4" />;
  const label = `Operations of ${cluster.name}`;

  return (
    <Menu
      label={label}
      trigger={
        isLabelled ? (
          <Button aria-label={label} icon={dots}>
            <span className="sm:hidden">Operations</span>
          </Button>
        ) : (
          <IconButton label={label} size="icon-sm" icon={dots} />
        )
      }
    >
      {cluster.operations.map((choice) => (
        <OperationItem key={choice.kind} clusterId={cluster.id} choice={choice} />
      ))}
    </Menu>
  );
}

function OperationItem({ clusterId, choice }: { clusterId: string; choice: OperationChoice }) {
  const Icon = operationIcons[choice.kind];
  const isDelete = choice.kind === 'delete';
  return (
    <>
      {isDelete ? <MenuSeparator /> : null}
      <MenuLink
        href={routes.operation(clusterId, choice.kind)}
        icon={<Icon aria-hidden className="size-3.5" />}
        reason={choice.text ?? undefined}
        hint={choiceHint(choice)}
        isDanger={isDelete}
      >
        {operations[choice.kind].label}
      </MenuLink>
    </>
  );
}
