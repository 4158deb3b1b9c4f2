'use client';
import { FailedState } from '@/components/ui/states';

/** As app/error.tsx, within the shell: navigation and live lamp stay. The cause is in the server's log under the digest; nobody sees its text here. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <div className="mx-auto max-w-lg py-10">
      <h1 className="sr-only">Something went wrong</h1>
      <FailedState
        title="This page could not be shown"
        text="Nothing was changed by opening it. If the database is away, it comes back by itself; what runs goes on."
        reference={error.digest}
        onRetry={reset}
      />
    </div>
  );
}
