'use client';
import { Ellipsis } from 'lucide-react';
import { routes } from '@/components/routes';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuLink, MenuSeparator } from '@/components/ui/menu';
import type { OperationChoice } from '@/db/queries/cluster-dto';
import { operations } from '@/domain/operations';
import { choiceHint, operationIcons } from './operation-look';

/** All eight operations, always in the same place; those that are off say why. */
export function OperationMenu({
  cluster,
}: {
  cluster: { id: string; name: string; operations: readonly OperationChoice[] };
}) {
  return (
    <Menu
      label={`Operations of ${cluster.name}`}
      trigger={
        <IconButton
          label={`Operations of ${cluster.name}`}
          size="icon-sm"
          icon={<Ellipsis aria-hidden className="size-4" />}
        />
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
