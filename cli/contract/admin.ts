import { type CallNode, sendAs } from '../../core/abi/node.ts';
import { messageOf } from '../../core/lib/errors.ts';
import type { ChainClient } from '../../mcp/chain.ts';
import { type Attempt, reasonOf } from '../../mcp/reasons.ts';
import { adminNode } from '../../sdk/src/adminNode.ts';
import { isSlipwayError } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import { type Wait, waitUntil } from '../lib/wait.ts';

/** The node of a network as its admin URL reaches it; fails without one. Wakes a stopped network. */
export async function requireAdminNode({ io }: Context, client: ChainClient, id: string): Promise<CallNode> {
  const node = await adminNode(client, id, io.signal);
  if (node) return node;
  throw fail(
    'failed',
    'You have no admin URL of this network.',
    'It is for members who may write networks (developers), and networks with real clients have none.',
  );
}

/** What a node answers; its refusal is said as one. */
export async function orRefused<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw refusal(error);
  }
}

/** An error of the service does not come from the network: what was sent may have arrived. */
const refusal = (error: unknown) =>
  isSlipwayError(error) ? error : fail('failed', `The network refused it: ${messageOf(error)}`);

interface Impersonation {
  client: ChainClient;
  attempt: Attempt & { item: { from: string } };
}

/** Sends as another account, and prints the hash; with --wait, once it is in a block. */
export async function sendImpersonated(
  context: Context,
  { client, attempt }: Impersonation,
  options: Options,
): Promise<void> {
  const node = await requireAdminNode(context, client, attempt.id);
  const { from, to, data, value, gas_limit } = attempt.item;
  const transaction = {
    from,
    to: to ?? undefined,
    data: data ?? undefined,
    value,
    gasLimit: gas_limit ?? undefined,
  };
  const hash = await sendAs(node, transaction).catch(async (error: unknown) => {
    const reason = isSlipwayError(error) ? undefined : await reasonOf(client, attempt);
    if (reason !== undefined) throw fail('failed', `The transaction would revert: ${reason}`);
    throw refusal(error);
  });
  try {
    if (options.isSet('wait')) await waitUntil(context, minedWait(node, hash, { client, attempt }), options);
  } finally {
    context.ui.answer({ hash }, `${hash}\n`);
  }
}

function minedWait(node: CallNode, hash: string, { client, attempt }: Impersonation): Wait {
  return {
    what: 'the transaction',
    isSentence: true,
    follow: 'Its hash is on standard output.',
    async look() {
      const receipt = (await node('eth_getTransactionReceipt', [hash])) as Receipt | null;
      const state = receipt === null ? 'sent' : receipt.status === '0x1' ? 'mined' : 'failed';
      return {
        text: state,
        step: { type: 'step', transactions: [{ hash, state }] },
        isDone: receipt !== null,
        problem: state === 'failed' ? await problemOf(client, attempt, receipt) : undefined,
      };
    },
  };
}

interface Receipt {
  status?: string;
  blockNumber?: string;
}

async function problemOf(client: ChainClient, attempt: Attempt, receipt: Receipt | null): Promise<string> {
  const block = receipt?.blockNumber;
  const reason = block === undefined ? undefined : await reasonOf(client, attempt, Number(block));
  return reason === undefined ? 'failed' : `failed: ${reason}`;
}
