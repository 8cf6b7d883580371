import { labels } from '../../../core/api/names.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { parseRfc3339 } from '../../../core/lib/clock.ts';
import { isSettling } from '../../../core/networks/settling.ts';
import { settleAfterMs } from '../../../core/outbox/freeNonce.ts';
import { engineIncarnationOf, isOfPlugin } from '../render/childNames.ts';
import { readyOf } from '../status/ready.ts';
import type { NetworkFacts } from './facts.ts';
import { podStateOf } from './podState.ts';

/** Appended to the message while an end waits. */
export const onceSettled = ', once the outcome of the last transactions is recorded (10 s at most)';

/** How long the operator may take to look at a sender queue whose transactions can be settled, and to store their outcomes. */
const storeMs = 1_500;
/** The same for a queue that was not due: the operator looks at it a second after the network has changed. */
const lookMs = 3_000;
/** Counted from the request to end. */
const longestMs = 10_000;
/** How soon to look whether the outcomes are stored. */
const checkMs = 500;

/**
 * How long to wait, in ms, before checking again whether the engine may be ended in order; 0 if it may be ended now. The next
 * process is sent the open transactions that it lacks, among them any that were undone and not yet recorded. Once the status
 * says that the engine is ending, nothing more is accepted for it.
 */
export function settlingMs(facts: NetworkFacts): number {
  const { nowMs, lastUnsettledMs } = facts;
  if (lastUnsettledMs === undefined || !isUp(facts)) return 0;
  const sinceMs = endingSinceMs(facts);
  const dueMs = Math.max(lastUnsettledMs + settleAfterMs + storeMs, sinceMs + lookMs);
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

/** When the network stopped being Operational; now, if the end is only about to begin. */
function endingSinceMs({ network, nowMs }: NetworkFacts): number {
  const ready = readyOf(network.status);
  return ready?.status === 'False' ? (parseRfc3339(ready.lastTransitionTime) ?? nowMs) : nowMs;
}
