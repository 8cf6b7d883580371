import { namespaceOf } from '../../core/accounts/ids.ts';
import { addressOfLent, lendKey, type WithKey } from '../../core/accounts/lendKey.ts';
import { personalWorkspaceOf } from '../../core/accounts/objects.ts';
import { openSecret } from '../../core/accounts/openSecret.ts';
import { defaultKeyName } from '../../core/api/names.ts';
import type { GapTransaction } from '../../core/api/resources/outbox.ts';
import { readChainState, readNextBaseFee } from '../../core/evm/chainState.ts';
import { feesOf, feesOfSigned, maxPerGas, replacementFees } from '../../core/evm/fees.ts';
import { cut } from '../../core/lib/text/foreignText.ts';
import { batchesOf } from '../../core/outbox/batches.ts';
import { packRaw } from '../../core/outbox/packedTransactions.ts';
import type { Fees } from '../../core/signing/signing.ts';
import type { OutboxDeps } from './deps.ts';
import { noteProblem } from './memory.ts';
import type { OpenEntry, OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';

/** How long a node may refuse a transaction that blocks others. */
const refusedMs = 60_000;
/** A transaction that is mined sooner than this is not worth a query. */
const slowMs = 10_000;
/** How long a missing nonce may block others. */
const missingMs = 20_000;
const transferGas = 21_000;
/** Nonce-gap transactions per reconcile, and in a sender queue. */
const maxFilled = 500;
const maxGapTransactions = 1000;

/**
 * Transactions that only use up nonces of the account, when the transaction with the next nonce has been refused for too
 * long, or when nonces are missing: then all later ones can be mined. Missing nonces are all filled at once. Empty if
 * none are needed or possible. They are recorded before they are sent. From then on the nonce belongs to the nonce-gap
 * transaction; only one of the two can be mined.
 */
export async function findGapTransactions(
  deps: OutboxDeps,
  snapshot: QueueSnapshot,
): Promise<GapTransaction[]> {
  const replacements = await replaceUnderpriced(deps, snapshot);
  if (replacements.length > 0) return replacements;
  const { queue, account, memory, nowMs } = snapshot;
  const nonce = account.pending;
  if (queue.gapTransactions.has(nonce)) return [];
  const missing = missingNonces(snapshot);
  if (missing[0] === nonce) {
    const reason = `no transaction used nonce ${nonce}`;
    const isDropped = queue.entries.some((entry) => entry.nonce === nonce);
    const sinceMs = noteProblem(memory, nonce, { kind: 'missing', reason, sinceMs: nowMs });
    if (!isDropped && sinceMs < missingMs) return [];
    return makeGapTransactions(deps, snapshot, { reason: 'no transaction used this nonce', nonces: missing });
  }
  const problem = memory.problems.get(nonce);
  const isKnown = queue.entries.some((entry) => entry.nonce === nonce);
  if (!isKnown || problem?.kind !== 'refused' || nowMs - problem.sinceMs < refusedMs) return [];
  const reason = `the network's node refused it: ${problem.reason}`;
  return makeGapTransactions(deps, snapshot, { reason, nonces: [nonce] });
}

/** From the next nonce of the account on: nonces without a transaction that may still be mined, before one that has. */
function missingNonces({ queue, account, memory }: QueueSnapshot): number[] {
  // Dropped, or mined before somebody set the nonce of the account back.
  const isOver = ({ key }: OpenEntry) => memory.results.has(key);
  const over = new Set(queue.entries.filter(isOver).map(({ nonce }) => nonce));
  // A nonce that was free again belongs to the transaction that got it then.
  for (const entry of queue.entries) if (!isOver(entry)) over.delete(entry.nonce);
  const missing: number[] = [];
  let next = account.pending;
  let live = next;
  for (const { first, count } of batchesOf(queue.head)) {
    for (; next < first + count; next++) {
      const isTaken = next >= first && !over.has(next);
      if (isTaken) live = next;
      else if (missing.length < maxFilled && !queue.gapTransactions.has(next)) missing.push(next);
    }
  }
  return missing.filter((nonce) => nonce < live);
}

/**
 * Nodes hold a transaction that offers less than the base fee, and all later ones, until the base fee falls. Some count it
 * among the pending transactions, some do not.
 */
async function replaceUnderpriced(deps: OutboxDeps, snapshot: QueueSnapshot): Promise<GapTransaction[]> {
  const { rpc, queue, account, memory, nowMs, readRaw } = snapshot;
  const nonce = account.mined;
  const entry = queue.entries.find((one) => one.nonce === nonce && !memory.results.has(one.key));
  if (!entry || queue.gapTransactions.has(nonce) || nowMs - entry.acceptedMs < slowMs) return [];
  const known = memory.problems.get(nonce)?.kind;
  const outbid = feesOfSigned(await readRaw(entry));
  if (known === 'refused' || 'gasPrice' in outbid) return [];
  const baseFee = (await readNextBaseFee(rpc)) ?? 0n;
  if (maxPerGas(outbid) >= baseFee) {
    if (known === 'underpriced') memory.problems.delete(nonce);
    return [];
  }
  const reason = `it offers ${maxPerGas(outbid)} wei per gas, below the network's base fee of ${baseFee}`;
  if (noteProblem(memory, nonce, { kind: 'underpriced', reason, sinceMs: nowMs }) < refusedMs) return [];
  const made = await makeGapTransactions(deps, snapshot, { reason, outbid, nonces: [nonce] });
  if (made.length > 0) memory.problems.delete(nonce);
  return made;
}

interface Use {
  reason: string;
  nonces: readonly number[];
  /** Fees of the transaction that the node holds at the nonce. */
  outbid?: Fees;
}

async function makeGapTransactions(
  deps: OutboxDeps,
  { rpc, queue, chainId }: QueueSnapshot,
  { reason, nonces, outbid }: Use,
): Promise<GapTransaction[]> {
  const { signer } = queue.head.spec;
  const withKey = signerKeyOf(deps, queue);
  if (!withKey) return [];
  const state = await readChainState(rpc, { address: signer, chainId });
  const priced = feesOf({ from: signer, value: '0', data: '0x' }, state);
  const usual = 'fees' in priced ? priced.fees : { gasPrice: state.gasPrice.toString() };
  const fees = outbid ? replacementFees(usual, outbid) : usual;
  const cost = maxPerGas(fees) * BigInt(transferGas);
  const payable = cost === 0n ? nonces.length : Number(state.balance / cost);
  const room = maxGapTransactions - queue.gapTransactions.size;
  const filled = nonces.slice(0, Math.min(payable, room));
  const common = { chainId, to: signer, value: '0', data: '0x', gasLimit: String(transferGas), fees };
  const signed = await withKey((key) =>
    deps.signer.sign(
      key,
      filled.map((nonce) => ({ ...common, nonce })),
    ),
  );
  return signed.map(({ nonce, hash, raw }) => ({
    nonce,
    hash,
    raw: packRaw(raw),
    reason: cut(reason, 1000),
  }));
}

/** The key of the sender queue's signer: the workspace's service account, or the submitter's default key as it is now. */
function signerKeyOf(deps: OutboxDeps, queue: OpenQueue): WithKey | undefined {
  const { metadata, spec } = queue.head;
  const isSigner = (address: string) => address.toLowerCase() === spec.signer.toLowerCase();
  const service = deps.serviceOf(metadata.namespace);
  if (isSigner(service.address)) return service.withKey;
  const secret = defaultKeyOf(deps, queue);
  if (!secret) return undefined;
  const open = () => openSecret(deps.sealer, secret);
  return isSigner(addressOfLent(open)) ? lendKey(open) : undefined;
}

/** The default key of the user who submitted what is open. */
function defaultKeyOf({ caches, installation, serviceNamespace }: OutboxDeps, { entries }: OpenQueue) {
  const name = entries.find(({ batch }) => batch.user !== undefined)?.batch.user;
  const user = name === undefined ? undefined : caches.users.get({ namespace: serviceNamespace, name });
  if (!user) return undefined;
  const namespace = namespaceOf(personalWorkspaceOf(user), installation.defaultWorkspace);
  return caches.secrets.get({ namespace, name: defaultKeyName });
}
