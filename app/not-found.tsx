import { SearchX } from 'lucide-react';
import { routes } from '@/components/routes';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/states';

export default function NotFound() {
  return (
    <main className="mx-auto max-w-lg py-16">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={SearchX}
        title="There is no such page"
        text="The address may be old, or mistyped."
        action={<ButtonLink href={routes.overview}>Go to the overview</ButtonLink>}
      />
    </main>
  );
}
