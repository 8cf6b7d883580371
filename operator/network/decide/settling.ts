import { labels } from '../../../core/api/names.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { isSettling } from '../../../core/networks/settling.ts';
import { judgedMs } from '../../../core/outbox/freeNonce.ts';
import { engineIncarnationOf, isOfPlugin } from '../render/childNames.ts';
import { readyOf } from '../status/ready.ts';
import type { NetworkFacts } from './facts.ts';
import { podStateOf } from './podState.ts';

/** What the message of an end says that waits. */
export const onceSettled = ', once it is recorded what became of the last transactions (10 s at most)';

/** How long the operator may take to look at a sender queue whose transactions can be judged, and to store what it finds. */
const storeMs = 1_500;
/** The same for one that it was not about to look at: it looks a second after the network has changed. */
const lookMs = 3_000;
/** From the end's request on. */
const longestMs = 10_000;
/** How soon to look whether the outcomes are stored. */
const checkMs = 500;

/**
 * In how many milliseconds to look again whether the engine may be ended in order; 0 if it may be now. The next process
 * gets what it lacks of the chain's open transactions, and thereby what somebody has undone and nobody has recorded. Once the
 * status says that the engine ends, nothing more is accepted for it.
 */
export function settlingMs(facts: NetworkFacts): number {
  const { nowMs, lastUnjudgedMs } = facts;
  if (lastUnjudgedMs === undefined || !isUp(facts)) return 0;
  const sinceMs = endingSinceMs(facts);
  const dueMs = Math.max(lastUnjudgedMs + judgedMs + storeMs, sinceMs + lookMs);
  return Math.max(0, Math.min(dueMs - nowMs, sinceMs + longestMs - nowMs, checkMs));
}

/** Whether the engine that its users had still runs, so that it can be asked. */
function isUp({ network, pods }: NetworkFacts): boolean {
  const { state } = network.status ?? {};
  if (state !== 'Operational' && state !== 'Stopping' && !isSettling(network)) return false;
  const incarnation = engineIncarnationOf(network);
  const isOwn = ({ metadata }: Pod) => metadata.labels?.[labels.incarnation] === incarnation;
  const engines = pods.filter((pod) => isOwn(pod) && !isOfPlugin(pod));
  return engines.length > 0 && engines.every((pod) => podStateOf(pod).phase === 'ready');
}

/** Since when the network is not Operational: the end may begin now. */
function endingSinceMs({ network, nowMs }: NetworkFacts): number {
  const ready = readyOf(network.status);
  return ready?.status === 'False' ? (parseRfc3339(ready.lastTransitionTime) ?? nowMs) : nowMs;
}
