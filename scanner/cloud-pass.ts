import type { ScannerContext } from './context';
import type { PassRun } from './pass-run';

/** The half that asks the cloud. Answers null, or why it could not conclude anything. */
export async function cloudPass(_scanner: ScannerContext, _run: PassRun): Promise<string | null> {
  return null;
}
