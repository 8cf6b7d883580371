import { namespaceOf } from '../../core/accounts/ids.ts';
import { addressOfPrivateKey } from '../../core/accounts/keys.ts';
import { personalWorkspaceOf } from '../../core/accounts/objects.ts';
import { openSecret } from '../../core/accounts/openSecret.ts';
import { defaultKeyName } from '../../core/api/names.ts';
import type { GapTransaction } from '../../core/api/resources/outbox.ts';
import { readChainState, readNextBaseFee } from '../../core/evm/chainState.ts';
import { feesOf, feesOfSigned, maxPerGas, replacementFees } from '../../core/evm/fees.ts';
import type { Fees } from '../../core/signing/signing.ts';
import type { OutboxDeps } from './deps.ts';
import { noteProblem } from './memory.ts';
import type { OpenQueue } from './openEntries.ts';
import type { QueueSnapshot } from './queueSnapshot.ts';

/** How long a node may refuse a transaction that blocks others. */
const refusedMs = 60_000;
/** A transaction that is mined sooner than this is not worth a query. */
const slowMs = 10_000;
/** How long a missing nonce may block others. */
const missingMs = 20_000;
const transferGas = 21_000;

/**
 * A transaction that only uses up the next nonce of the account, when the transaction with that nonce has been refused for too long
 * or does not exist: then all later ones can be mined. Undefined when there is no need, or no way. It is recorded
 * before it is sent. From then on the nonce belongs to the nonce-gap transaction; only one of the two can be mined.
 */
export async function findGapTransaction(
  deps: OutboxDeps,
  snapshot: QueueSnapshot,
): Promise<GapTransaction | undefined> {
  const { queue, account, memory, nowMs } = snapshot;
  const replacement = await replaceUnderpriced(deps, snapshot);
  if (replacement) return replacement;
  const nonce = account.pending;
  const isHeldUp = queue.entries.some((entry) => entry.nonce > nonce);
  const entry = queue.entries.find((candidate) => candidate.nonce === nonce);
  if (queue.gapTransactions.has(nonce) || (!entry && !isHeldUp)) return undefined;
  const problem = memory.problems.get(nonce);
  if (entry) {
    if (problem?.kind !== 'refused' || nowMs - problem.sinceMs < refusedMs) return undefined;
    return makeGapTransaction(deps, snapshot, { reason: `the network's node refused it: ${problem.reason}` });
  }
  const reason = `no transaction used nonce ${nonce}`;
  if (noteProblem(memory, nonce, { kind: 'missing', reason, sinceMs: nowMs }) < missingMs) return undefined;
  return makeGapTransaction(deps, snapshot, { reason });
}

/**
 * Nodes hold a transaction that offers less than the base fee, and all later ones, until the base fee falls. Some count it
 * among the pending transactions, some do not.
 */
async function replaceUnderpriced(
  deps: OutboxDeps,
  snapshot: QueueSnapshot,
): Promise<GapTransaction | undefined> {
  const { rpc, queue, account, memory, nowMs } = snapshot;
  const nonce = account.mined;
  const entry = queue.entries.find((candidate) => candidate.nonce === nonce);
  if (!entry || queue.gapTransactions.has(nonce) || nowMs - entry.acceptedMs < slowMs) return undefined;
  const known = memory.problems.get(nonce)?.kind;
  const outbid = feesOfSigned(entry.raw);
  if (known === 'refused' || 'gasPrice' in outbid) return undefined;
  const baseFee = (await readNextBaseFee(rpc)) ?? 0n;
  if (maxPerGas(outbid) >= baseFee) {
    if (known === 'underpriced') memory.problems.delete(nonce);
    return undefined;
  }
  const reason = `it offers ${maxPerGas(outbid)} wei per gas, below the network's base fee of ${baseFee}`;
  if (noteProblem(memory, nonce, { kind: 'underpriced', reason, sinceMs: nowMs }) < refusedMs)
    return undefined;
  const gapTransaction = await makeGapTransaction(deps, snapshot, { reason, outbid });
  if (gapTransaction) memory.problems.delete(nonce);
  return gapTransaction;
}

interface Use {
  reason: string;
  /** Fees of the transaction that the node holds at the nonce. */
  outbid?: Fees;
}

async function makeGapTransaction(
  deps: OutboxDeps,
  { rpc, queue, account }: QueueSnapshot,
  { reason, outbid }: Use,
): Promise<GapTransaction | undefined> {
  const { signer } = queue.head.spec;
  const nonce = outbid ? account.mined : account.pending;
  const key = keyOf(deps, queue);
  if (!key) return undefined;
  try {
    const state = await readChainState(rpc, signer);
    const priced = feesOf({ from: signer, value: '0', data: '0x' }, state);
    const usual = 'fees' in priced ? priced.fees : { gasPrice: state.gasPrice.toString() };
    const fees = outbid ? replacementFees(usual, outbid) : usual;
    if (state.balance < maxPerGas(fees) * BigInt(transferGas)) return undefined;
    const common = {
      chainId: state.chainId,
      to: signer,
      value: '0',
      data: '0x',
      gasLimit: String(transferGas),
    };
    const [signed] = await deps.signer.sign(key, [{ ...common, fees, nonce }]);
    if (!signed) return undefined;
    const raw = Buffer.from(signed.raw.slice(2), 'hex').toString('base64');
    return { nonce, hash: signed.hash, raw, reason: reason.slice(0, 1000) };
  } finally {
    key.fill(0);
  }
}

/** The key of the sender queue's signer, if it is still the submitter's default key. */
function keyOf({ caches, sealer, installation, serviceNamespace }: OutboxDeps, { head, entries }: OpenQueue) {
  const userId = entries.find(({ batch }) => batch.user !== undefined)?.batch.user;
  const user =
    userId === undefined ? undefined : caches.users.get({ namespace: serviceNamespace, name: userId });
  if (!user) return undefined;
  const namespace = namespaceOf(personalWorkspaceOf(user), installation.defaultWorkspace);
  const secret = caches.secrets.get({ namespace, name: defaultKeyName });
  if (!secret) return undefined;
  const bytes = openSecret(sealer, secret);
  if (addressOfPrivateKey(bytes).toLowerCase() === head.spec.signer.toLowerCase()) return bytes;
  bytes.fill(0);
  return undefined;
}
