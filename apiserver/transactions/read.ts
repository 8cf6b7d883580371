import { z } from 'zod';
import { operations } from '../../core/api/operations/operations.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SubmissionBody } from '../../core/api/rest/submission.ts';
import { quantitySchema, read } from '../../core/evm/answers.ts';
import { isPublished, type Published, readInstance } from '../../core/evm/instance.ts';
import { parseReceipt, type Receipt, readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { parseRfc3339 } from '../../core/lib/clock.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import { chainStanding } from '../../core/networks/incarnation.ts';
import { type SubmissionRecord, toSubmission } from '../../core/outbox/records.ts';
import { lostWithEngine, type Result, resultOf, rolledBack } from '../../core/outbox/results.ts';
import type { Node } from '../../core/outbox/sending/submitAs.ts';
import { chargeRecords } from '../http/limits/price.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import { listPageOf } from '../http/paging/list.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import type { ObjectCache } from '../store/cache.ts';
import { type ArchiveDeps, readRecords, readRecordsByHash } from './archives.ts';
import { keyOf, newestOf, type OutboxView, readSubmissionField } from './records.ts';

export interface ReadDeps extends ArchiveDeps {
  outboxes: OutboxView & { hasSynced(): boolean };
  networks: Pick<ObjectCache<NetworkResource>, 'byId'>;
  /** The running node of a network; undefined if it is not running. */
  presentNode(network: NetworkResource): Node | undefined;
  cursors: Cursors;
  /** Resolves when the cache has what was accepted in a namespace before the call. */
  catchUp(namespace: string): Promise<void>;
}

/** Submitted transactions of the workspace: from the cache those that are open, the others from Kubernetes. */
export function listSubmissions(deps: ReadDeps): Handler<'listSubmissions'> {
  const { outboxes, cursors } = deps;
  return async ({ principal, query, charge }) => {
    checkSynced(outboxes);
    const { namespace } = principal;
    await deps.catchUp(namespace);
    const asItIs = (record: SubmissionRecord) => withChain(deps, namespace, record);
    let looked = 0;
    const { json } = await listPageOf(
      {
        kind: 'SubmissionList',
        version: 'v1alpha1',
        endpoint: 'listSubmissions',
        principal,
        query,
        selectable: operations.listSubmissions.selectable,
        read: async ({ matches, ...reading }) => {
          const fits = (record: SubmissionRecord) => matches(asItIs(record));
          const onRead = (records: number) => {
            looked += records;
          };
          const records = await readRecords(deps, namespace, { ...reading, matches: fits, onRead });
          return records.map(asItIs);
        },
        keyOf,
        readField: readSubmissionField,
        toJson: (record) => JSON.stringify(toSubmission(record)),
      },
      cursors,
    );
    chargeRecords(charge, looked);
    return { json };
  };
}

/** The newest submission with a hash. If the node is running, its current answer is included. */
export function getSubmission(deps: ReadDeps): Handler<'getSubmission'> {
  return async ({ principal, params, query }) => {
    checkSynced(deps.outboxes);
    const { network_id: networkId } = query ?? {};
    const read = () => readRecord(deps, principal.namespace, { hash: params.hash.toLowerCase(), networkId });
    const known = await read();
    const isFinal = known && !mayBeFollowed(withChain(deps, principal.namespace, known));
    const record = isFinal ? known : await deps.catchUp(principal.namespace).then(read);
    if (!record)
      throw new AppError('NotFound', 'no submission has this hash: check the hash and the workspace');
    const network = deps.networks.byId(principal.namespace, record.networkId);
    const node = network && deps.presentNode(network);
    const isThere = node?.incarnation === record.incarnation;
    if (isThere) return { body: await askNode(node, record) };
    const asItIs = withChain(deps, principal.namespace, record);
    return { body: toSubmission(node ? await verified(node, asItIs) : asItIs) };
  };
}

/** Whether the same bytes may have been accepted again since: a repeated key makes another attempt, and so does another chain. */
const mayBeFollowed = ({ result }: SubmissionRecord) => result?.state === 'dropped';

async function readRecord(
  deps: ReadDeps,
  namespace: string,
  { hash, networkId }: { hash: string; networkId: string | undefined },
): Promise<SubmissionRecord | undefined> {
  const found = await readRecordsByHash(deps, namespace, hash);
  const networks = new Set(found.map((one) => one.networkId));
  if (networkId === undefined && networks.size > 1) throw ofSeveral([...networks]);
  return newestOf(found.filter((one) => networkId === undefined || one.networkId === networkId));
}

/** Networks with the same chain id, such as clones, give the same transaction the same hash. */
function ofSeveral(networks: readonly string[]): AppError {
  const message = `the same transaction was submitted to several networks: name one of ${networks.join(', ')}`;
  return new AppError('BadRequest', message, { details: [{ path: 'network_id', message }] });
}

const lost = 'it was on a chain that the network no longer runs: its data is gone';

/** A record of what was in a block of a chain that is gone says so. */
function withChain(
  { networks }: Pick<ReadDeps, 'networks'>,
  namespace: string,
  record: SubmissionRecord,
): SubmissionRecord {
  const { networkId: networkID, incarnation, result } = record;
  if (!result || result.state === 'dropped') return record;
  const network = networks.byId(namespace, networkID);
  const standing = chainStanding(network, { networkID, incarnation });
  const isOfEarlier = standing === 'unverified' && isOlder(record, network);
  const isLost = standing === 'replaced' || standing === 'stopped' || isOfEarlier;
  return isLost ? { ...record, result: { state: 'dropped', reason: lost } } : record;
}

/** Whether it was accepted before the previous chain ended, and no snapshot may have brought it back. */
function isOlder({ acceptedAt }: SubmissionRecord, network: NetworkResource | undefined): boolean {
  const { previousChain, from } = network?.status ?? {};
  if (!previousChain || from) return false;
  return (parseRfc3339(acceptedAt) ?? 0) < (parseRfc3339(previousChain.endedAt) ?? 0);
}

/** Another chain of a network may have what was mined on an earlier one, or not: its node knows. */
async function verified({ rpc, published }: Node, record: SubmissionRecord): Promise<SubmissionRecord> {
  const { hash, result } = record;
  if (!result || result.state === 'dropped') return record;
  try {
    const [receipt] = await readReceipts(rpc, [hash]);
    if (receipt || (await isBehind(rpc, published, result.block))) return record;
    return { ...record, result: { state: 'dropped', reason: lost } };
  } catch {
    return record;
  }
}

/** Whether a node may still be on its way to a block. A process that is all of its chain is not: what it lacks is gone. */
async function isBehind(rpc: EvmRpc, { process }: Published, block: number): Promise<boolean> {
  if (process !== undefined) return false;
  const head = await rpc.call('eth_blockNumber', []);
  return read(quantitySchema, { result: head }) < BigInt(block);
}

function checkSynced(outboxes: ReadDeps['outboxes']): void {
  if (outboxes.hasSynced()) return;
  throw new AppError('Unavailable', 'this replica is still loading the state of the cluster; retry', {
    retryAfterSeconds: 1,
  });
}

/** The node's answer takes precedence over the record; a node that does not answer is ignored. */
async function askNode(node: Node, record: SubmissionRecord): Promise<SubmissionBody> {
  try {
    return await readFromNode(node, record);
  } catch {
    return toSubmission(record);
  }
}

const objectSchema = z.record(z.string(), z.unknown());

/** What an engine lost with its last seconds may be an undoing: what was dropped is asked for as well. */
async function readFromNode(node: Node, record: SubmissionRecord): Promise<SubmissionBody> {
  const { rpc, published } = node;
  const [raw, transaction, instance] = await Promise.all([
    rpc.call('eth_getTransactionReceipt', [record.hash]),
    rpc.call('eth_getTransactionByHash', [record.hash]),
    readInstance(rpc),
  ]);
  if (!isPublished(instance, published)) return toSubmission(record);
  const receipt = parseReceipt(raw);
  if (!receipt) return toSubmission(await withoutReceipt(node, record, transaction !== null));
  const result = isOf(receipt, record.result) ? record.result : await resultOf(rpc, receipt);
  const whole = objectSchema.safeParse(raw);
  return { ...toSubmission({ ...record, result }), ...compact({ receipt: whole.data }) };
}

/** Whether a result is what the receipt says. After a reorganization, a transaction may be in another block. */
function isOf({ block, isSuccess }: Receipt, result: Result | undefined): result is Result {
  return result?.state === (isSuccess ? 'mined' : 'failed') && result.block === block;
}

/**
 * What was settled may be undone: a reorganization puts it back into the node's pool, a rollback by hand does not. Another process
 * than the one that mined it began from what that one had saved.
 */
async function withoutReceipt(
  { rpc, published }: Node,
  record: SubmissionRecord,
  isKnown: boolean,
): Promise<SubmissionRecord> {
  const { result, settledAt: _, ...open } = record;
  if (result?.state === 'dropped') return record;
  if (isKnown) return { ...open, isBroadcast: true };
  if (!result || (await isBehind(rpc, published, result.block))) return record;
  const isOther = record.instance !== undefined && record.instance !== (published.process ?? published.pod);
  return { ...record, result: isOther ? lostWithEngine : rolledBack };
}
