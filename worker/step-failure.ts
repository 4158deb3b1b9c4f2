import { CloudError } from '@/infrastructure/cloud';
import { KubernetesError } from '@/infrastructure/kubernetes';
import { StepFailed } from './step';

/** Every failure as an `Error` with words for people; the cloud's own text is kept. */
export function inWords(error: unknown): Error {
  if (error instanceof CloudError) {
    const helps = error.kind === 'transient' || error.kind === 'capacity' || error.kind === 'unknown-outcome';
    return new StepFailed(`the cloud answered to ${error.command}: ${error.message}`, { retry: helps, cause: error });
  }
  if (error instanceof KubernetesError) {
    const helps = error.kind !== 'refused' && error.kind !== 'denied';
    return new StepFailed(`the Kubernetes API: ${error.message}`, { retry: helps, cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Whether the same step may go well if it is tried again. */
export function mayHelp(failure: Error): boolean {
  return failure instanceof StepFailed && failure.retry;
}
