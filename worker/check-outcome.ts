import type { FieldIssue } from '@/domain/refusals';
import type { WorkerContext } from './context';

export type ChangeCheck =
  | { readonly kind: 'fine'; readonly direction: 'up' | 'down' }
  | { readonly kind: 'invalid'; readonly issues: readonly FieldIssue[] }
  | { readonly kind: 'nothing-to-do'; readonly message: string }
  /** Something outside the cluster stands in the way. */
  | { readonly kind: 'blocked'; readonly message: string }
  | { readonly kind: 'cloud'; readonly message: string };

export type Checked = Pick<WorkerContext, 'db' | 'cloud'>;

export function invalid(field: string, message: string): ChangeCheck {
  return { kind: 'invalid', issues: [{ field, message }] };
}
