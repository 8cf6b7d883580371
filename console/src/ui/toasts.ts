import { Toast } from '@base-ui/react/toast';
import { isSlipwayError } from '../../../sdk/src/error.ts';
import { texts } from './texts.ts';

/** Short news at the edge of the page. */
export const toastManager = Toast.createToastManager();

export function tell(title: string): void {
  toastManager.add({ title });
}

/** What else a change did, for long enough to be read. */
export function tellWarning(text: string): void {
  toastManager.add({ title: texts.warning, description: text, priority: 'high', timeout: 30_000 });
}

/** Says what a page shows without, because a request for it failed. */
export function tellMissing(what: string, error: unknown): void {
  if (isSlipwayError(error, 'Unauthorized')) return;
  toastManager.add({
    type: 'bad',
    title: texts.missing(what),
    description: messageOf(error),
    timeout: 12_000,
  });
}

/** Shows why something failed. The end of the session shows itself. */
export function tellFailure(error: unknown): void {
  if (isSlipwayError(error, 'Unauthorized')) return;
  toastManager.add({
    type: 'bad',
    title: texts.failed,
    description: messageOf(error),
    priority: 'high',
    timeout: 12_000,
  });
}

/** What to tell people about an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : texts.unexpected;
}
