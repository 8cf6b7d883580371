import { systemClock } from './clock.ts';
import { createStore } from './store.ts';

/** How much on this page is made or shown that nothing shows again. Until it is closed, the page stays. */
export const kept = createStore(0);

/** Keeps the page until the answer is called. */
export function keep(): () => void {
  kept.set(kept.get() + 1);
  // A form closes a moment before what came of it is shown.
  return () => void systemClock.after(0, () => kept.set(kept.get() - 1));
}
