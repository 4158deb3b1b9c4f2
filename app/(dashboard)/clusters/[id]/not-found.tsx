import { SearchX } from 'lucide-react';
import { routes } from '@/components/routes';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/states';

/** A deleted cluster has a page still, so this one never existed. */
export default function ClusterNotFound() {
  return (
    <>
      <h1 className="sr-only">No such cluster</h1>
      <EmptyState
        icon={SearchX}
        title="There is no such cluster"
        text="No cluster, deleted ones included, has this id."
        action={<ButtonLink href={routes.clusters}>All clusters</ButtonLink>}
      />
    </>
  );
}
