'use client';
import { FailedState } from '@/components/ui/states';

/** A page that could not be made. The cause is in the server's log under the digest; nobody sees its text here. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <main className="mx-auto max-w-lg py-16">
      <h1 className="sr-only">Something went wrong</h1>
      <FailedState
        title="This page could not be shown"
        text="Nothing was changed by opening it. If the database is away, it comes back by itself; what runs goes on."
        reference={error.digest}
        onRetry={reset}
      />
    </main>
  );
}
