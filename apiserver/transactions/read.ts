import { z } from 'zod';
import { operations } from '../../core/api/operations/operations.ts';
import type { NetworkResource } from '../../core/api/resources/network.ts';
import type { SubmissionBody } from '../../core/api/rest/submission.ts';
import { failureReason } from '../../core/evm/failure.ts';
import { readReceipts } from '../../core/evm/receipts.ts';
import type { EvmRpc } from '../../core/evm/rpc.ts';
import { compact } from '../../core/lib/compact.ts';
import { AppError } from '../../core/lib/errors.ts';
import type { Cursors } from '../http/paging/cursor.ts';
import { listPage } from '../http/paging/list.ts';
import type { Handler } from '../http/pipeline/handler.ts';
import type { ObjectCache } from '../store/cache.ts';
import type { Node } from './nodes.ts';
import {
  keyOf,
  type OutboxView,
  readSubmissionField,
  recordsByHash,
  recordsIn,
  type SubmissionRecord,
  toSubmission,
} from './records.ts';

export interface ReadDeps {
  outboxes: OutboxView & { hasSynced(): boolean };
  networks: Pick<ObjectCache<NetworkResource>, 'byId'>;
  /** The running node of a network; undefined if it is not running. */
  presentNode(network: NetworkResource): Node | undefined;
  cursors: Cursors;
}

/** Submitted transactions of the workspace, from the cache. */
export function listSubmissions({ outboxes, cursors }: ReadDeps): Handler<'listSubmissions'> {
  return async ({ principal, query }) => {
    checkSynced(outboxes);
    const { json } = listPage(
      {
        kind: 'SubmissionList',
        version: 'v1alpha1',
        endpoint: 'listSubmissions',
        principal,
        query,
        selectable: operations.listSubmissions.selectable,
        itemsFor: () => recordsIn(outboxes, principal.namespace),
        keyOf,
        readField: readSubmissionField,
        toJson: (record) => JSON.stringify(toSubmission(record)),
      },
      cursors,
    );
    return { json };
  };
}

/** The newest submission with a hash. If the node is running, its current answer is included. */
export function getSubmission(deps: ReadDeps): Handler<'getSubmission'> {
  return async ({ principal, params, query }) => {
    checkSynced(deps.outboxes);
    const found = recordsByHash(deps.outboxes, principal.namespace, params.hash.toLowerCase());
    const { network_id: networkId } = query ?? {};
    const [record] = found.filter((one) => networkId === undefined || one.networkId === networkId);
    if (!record)
      throw new AppError('NotFound', 'no submission has this hash: check the hash and the workspace');
    const network = deps.networks.byId(principal.namespace, record.networkId);
    const node = network && deps.presentNode(network);
    const isThere = node?.incarnation === record.incarnation;
    return { body: isThere ? await askNode(node.rpc, record) : toSubmission(record) };
  };
}

function checkSynced(outboxes: ReadDeps['outboxes']): void {
  if (outboxes.hasSynced()) return;
  throw new AppError('Unavailable', 'this replica is still loading the state of the cluster; retry', {
    retryAfterSeconds: 1,
  });
}

/** The node's answer takes precedence over the record; a node that does not answer is ignored. */
async function askNode(rpc: EvmRpc, record: SubmissionRecord): Promise<SubmissionBody> {
  if (record.result?.state === 'dropped') return toSubmission(record);
  try {
    return await readFromNode(rpc, record);
  } catch {
    return toSubmission(record);
  }
}

const objectSchema = z.record(z.string(), z.unknown());

async function readFromNode(rpc: EvmRpc, record: SubmissionRecord): Promise<SubmissionBody> {
  const [[receipt], raw, transaction] = await Promise.all([
    readReceipts(rpc, [record.hash]),
    rpc.call('eth_getTransactionReceipt', [record.hash]),
    rpc.call('eth_getTransactionByHash', [record.hash]),
  ]);
  if (!receipt) return toSubmission({ ...record, isBroadcast: record.isBroadcast || transaction !== null });
  const { block, contract } = receipt;
  const gasUsed = Number(receipt.gasUsed);
  const failed = async () => ({
    state: 'failed' as const,
    ...{ block, gasUsed, reason: await failureReason(rpc, receipt) },
  });
  const mined = { state: 'mined' as const, block, gasUsed, ...compact({ contract }) };
  const result = record.result ?? (receipt.isSuccess ? mined : await failed());
  const whole = objectSchema.safeParse(raw);
  return { ...toSubmission({ ...record, result }), ...compact({ receipt: whole.data }) };
}
