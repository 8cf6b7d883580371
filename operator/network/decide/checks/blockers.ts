import { isFork, noForkSource } from '../../../../core/api/rules/forking.ts';
import { enginesOfChain, refusedChain } from '../../../../core/chains/registry.ts';
import { type EngineBlocker, engineBlocker } from '../../../../core/engines/needs.ts';
import type { ErrorDetail } from '../../../../core/lib/errors.ts';
import { withProfile } from '../../../../core/networks/profiles.ts';
import { settlingReason } from '../../../../core/networks/settling.ts';
import { isYoung } from '../../lifecycle/isYoung.ts';
import { planRestart, restarting } from '../../lifecycle/restart.ts';
import { engineIncarnationOf } from '../../render/childNames.ts';
import type { NetworkCheck, NetworkContext, NetworkFacts, NetworkOutcome } from '../facts.ts';
import { mustReadForkHead } from '../forkBlock.ts';
import { fromOf } from '../from.ts';
import { weakestOf } from '../podState.ts';
import { onceSettled, settlingMs } from '../settling.ts';

/** Why a network cannot be planned. `isPassing`: it may resolve without a change by the user. */
interface Blocker {
  reason: string;
  message: string;
  isPassing?: boolean;
  /** When to look again; by default in a minute, or in seconds if it is passing. */
  retryMs?: number;
  /** What to find out before the next decision. */
  asks?: NetworkOutcome['asks'];
}

const passingMs = 2_000;
const blockedMs = 60_000;
const sourceMs = 10_000;

/** What a user must fix before the network can be planned, in the order in which to fix it. */
export const blockers: readonly NetworkCheck[] = [
  defineBlocker('availability', refusedPart),
  defineBlocker('engines', missingEngine),
  defineBlocker('chain id', refusedChainId),
  defineBlocker('fork source', missingForkSource),
  defineBlocker('references', unusableReference),
  defineBlocker('engine key', missingEngineKey),
  defineBlocker('snapshot', unusableSnapshot),
  defineBlocker('fork block', unknownForkBlock),
];

function defineBlocker(name: string, find: (facts: NetworkFacts) => Blocker | undefined): NetworkCheck {
  return {
    name,
    check(context) {
      const blocker = find(context.facts);
      return blocker && blockedBy(blocker, context);
    },
  };
}

function refusedPart({ network, engineSet }: NetworkFacts): Blocker | undefined {
  const details = refusedChain(withProfile(network.spec, network.status), engineSet);
  return details.length === 0 ? undefined : notAvailable(details);
}

/** What a network waits for comes with a change of the set, which looks at it again. */
function missingEngine({ network, engineSet }: NetworkFacts): Blocker | undefined {
  const needs = enginesOfChain(withProfile(network.spec, network.status));
  const blocker = engineBlocker(needs, engineSet);
  return blocker && blockerOf(blocker);
}

function blockerOf(blocker: EngineBlocker): Blocker {
  if (blocker.kind === 'refused') return notAvailable(blocker.details);
  const { message } = blocker;
  if (blocker.kind === 'failed') return { reason: 'EngineBuildFailed', message };
  return { reason: 'EngineBuilding', message, isPassing: true, retryMs: blockedMs };
}

function notAvailable(details: readonly ErrorDetail[]): Blocker {
  const text = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return { reason: 'NotAvailable', message: text };
}

function refusedChainId(facts: NetworkFacts): Blocker | undefined {
  const { network, driver, namedChainId, isChainIdTaken } = facts;
  if (namedChainId === undefined) return undefined;
  const isForked = isFork(network.spec);
  const refusal = driver.refuseChainId(namedChainId, isForked);
  if (refusal) return { reason: 'ChainIdReserved', message: refusal };
  const isOfSnapshot = fromOf(facts, engineIncarnationOf(network))?.chainID === namedChainId;
  const isShareable = isOfSnapshot || (isForked && driver.refuseChainId(namedChainId, false) !== undefined);
  if (isShareable || !isChainIdTaken(namedChainId)) return undefined;
  const message = `chain id ${namedChainId} is in use by another network in this workspace: choose another one or omit it`;
  return { reason: 'ChainIdInUse', message };
}

function missingForkSource(facts: NetworkFacts): Blocker | undefined {
  const { network, forkSource, forkRefusal } = facts;
  const { spec } = network;
  if (!isFork(spec) || forkSource) return undefined;
  if (forkRefusal) {
    const message = `forking.sourceRef: ${forkRefusal.refusal}`;
    if (forkRefusal.isMissing) return { reason: 'SecretMissing', message, isPassing: isYoung(facts) };
    return { reason: 'ForkSourceRefused', message };
  }
  return { reason: 'NoForkSource', message: noForkSource(spec.chain.type) };
}

function unusableReference(facts: NetworkFacts): Blocker | undefined {
  for (const reference of [facts.hotKey, facts.mnemonic]) {
    if (reference?.kind === 'missing') {
      return { reason: 'SecretMissing', message: reference.message, isPassing: isYoung(facts) };
    }
    if (reference?.kind === 'unusable') return { reason: 'SecretUnusable', message: reference.message };
  }
  return undefined;
}

function missingEngineKey({ network, engineKeys }: NetworkFacts): Blocker | undefined {
  const { engineKey } = network.status ?? {};
  if (engineKey?.incarnation !== engineIncarnationOf(network) || engineKeys.keys.has(engineKey.id))
    return undefined;
  const remedy = `put it back into engine-keys, or start a new chain with the action ResetState`;
  return {
    reason: 'EngineKeyMissing',
    message: `its engine key "${engineKey.id}" is not installed: ${remedy}`,
  };
}

function unusableSnapshot(facts: NetworkFacts): Blocker | undefined {
  const { network, snapshot } = facts;
  if (!snapshot || 'from' in snapshot || fromOf(facts, engineIncarnationOf(network))) return undefined;
  const { reason, refusal } = snapshot;
  const isPassing = reason === 'SnapshotNotReady' || (reason === 'SnapshotMissing' && isYoung(facts));
  return { reason, message: `spec.from: ${refusal}`, isPassing };
}

/** A fork of the latest block names it, so that the chain stays the same when its engine starts again. */
function unknownForkBlock(facts: NetworkFacts): Blocker | undefined {
  if (!mustReadForkHead(facts)) return undefined;
  const { answers, driver, forkSource: source } = facts;
  const { forkHead } = answers;
  const failure = forkHead && 'problem' in forkHead ? forkHead : undefined;
  return {
    reason: 'ForkSourceUnavailable',
    message: `the latest block of the fork source cannot be read${failure ? `: ${failure.problem}` : ''}`,
    ...(failure?.isPassing ? { isPassing: true } : { retryMs: sourceMs }),
    ...(failure || !driver.headCall || !source
      ? {}
      : { asks: { forkHead: { source, call: driver.headCall } } }),
  };
}

/** A running network keeps running when, for example, its secret is deleted later. */
function blockedBy(blocker: Blocker, context: NetworkContext): NetworkOutcome {
  const { reason, message, isPassing, retryMs, asks } = blocker;
  const { facts, engines, writes } = context;
  const requeueAfterMs = retryMs ?? (isPassing ? passingMs : blockedMs);
  const common = { reason, writes: writes.begun, requeueAfterMs, asks };
  if (isFormerChainRunning(context)) {
    const text = `${message}; the former chain is kept until then`;
    const { lastWakeUpAt } = writes.begun;
    return { ...common, state: isPassing ? 'Pending' : 'Error', message: text, writes: { lastWakeUpAt } };
  }
  const hasRun = facts.network.status?.incarnation?.startedAt !== undefined;
  if (hasRun && engines.length > 0) {
    const weakest = weakestOf(engines, facts.forkSource);
    const isReady = weakest.phase === 'ready';
    const { doing, ...next } = restartOf(context);
    const now = isReady ? (doing ?? 'running') : weakest.message;
    const text = `${now}; cannot be reprovisioned: ${message}`;
    return { ...common, state: isReady && !doing ? 'Operational' : 'Pending', message: text, ...next };
  }
  const state = isPassing ? 'Pending' : 'Error';
  const children = hasRun ? undefined : [];
  return { ...common, state, message, children, progress: { step: 1, done: [] } };
}

/** A chain does not end before the next one can begin: a request for a new chain waits until nothing blocks it. */
function isFormerChainRunning({ observed, facts }: NetworkContext): boolean {
  const [before, next] = [observed, facts].map(({ network }) => network.status?.incarnation);
  return before?.startedAt !== undefined && before.number !== next?.number && observed.pods.length > 0;
}

interface BlockedRestart extends Partial<NetworkOutcome> {
  /** What the message says while it is under way. */
  doing?: string;
}

/** The engine's process can restart, but its pod could not be created again. */
function restartOf({ observed, facts, engines, maintenance, writes }: NetworkContext): BlockedRestart {
  if (maintenance.kind !== 'restart') return {};
  const { isOpen, ask, replace } = planRestart(engines, maintenance, facts.nowMs);
  const waitMs = isOpen ? settlingMs(observed) : 0;
  if (waitMs > 0) {
    return { doing: `${restarting}${onceSettled}`, reason: settlingReason, requeueAfterMs: waitMs };
  }
  if (isOpen) {
    return { doing: restarting, restart: { pods: [...ask, ...replace], number: maintenance.number } };
  }
  const { observedMaintenanceNonce, maintenance: requests } = writes.ready;
  return { writes: { ...writes.begun, observedMaintenanceNonce, maintenance: requests } };
}
