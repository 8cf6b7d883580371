import type { ChainClient } from '../../mcp/chain.ts';
import { type Attempt, reasonOf, refusedReason } from '../../mcp/reasons.ts';
import type { Submission, SubmitRequest } from '../../sdk/src/generated/types.ts';
import type { Context } from '../lib/context.ts';
import { fail, failWith } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import { type Names, namesOfNetworks } from '../lib/resolve.ts';
import { type Wait, waitUntil } from '../lib/wait.ts';

interface Submitting {
  body: SubmitRequest;
  /** The one transaction of a command line. */
  attempt?: Attempt | undefined;
}

/**
 * Submits transactions and prints their hashes; with --wait, once they are settled, and then as JSON also `submissions`: what
 * was last known of each, with the address of a contract that it created.
 */
export async function submit(
  context: Context,
  { body, attempt }: Submitting,
  options: Options,
): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const idempotencyKey = options.text('idempotencyKey');
  const answer = await client.transactions
    .submit(body, { idempotencyKey, signal: io.signal })
    .catch((error: unknown) => refused(client, error, attempt));
  const sent = Object.entries(answer.tx_hashes_by_network).flatMap(([network, hashes]) =>
    hashes.map((hash) => ({ network, hash })),
  );
  let submissions: readonly Submission[] = [];
  const isWaiting = options.isSet('wait') && sent.length > 0;
  try {
    if (isWaiting) {
      const tell = (found: readonly Submission[]) => {
        submissions = found;
      };
      await waitUntil(context, settledWait(client, sent, { attempt, tell }), options);
    }
  } finally {
    // Also when the wait ends otherwise: what was sent goes on.
    ui.answer(isWaiting ? { ...answer, submissions } : answer, sent.map(({ hash }) => `${hash}\n`).join(''));
  }
  for (const { contract_address: address } of submissions)
    if (address) ui.note(`Created contract ${address}`);
  const left = Object.entries(answer.errors_by_network ?? {});
  if (left.length > 0) throw leftOut(left, await namesOfNetworks(client));
}

/** The networks that accepted nothing, with their reasons. */
function leftOut(left: readonly [id: string, error: { message: string }][], names: Names): Error {
  const details = left.map(([id, { message }]) => ({ path: names.of(id), message }));
  const [first, ...others] = details;
  const message =
    others.length === 0
      ? `Network "${first?.path}" accepted none: ${first?.message}`
      : `${details.length} networks accepted none.`;
  return failWith({ exit: 'failed', message, details });
}

/** One transaction, as the command line describes it. */
export function submitOne(context: Context, attempt: Attempt, options: Options): Promise<void> {
  const body = { transactions_by_network: { [attempt.id]: [attempt.item] } };
  return submit(context, { body, attempt }, options);
}

/** Without a gas limit, the service refuses what reverts: what it would revert with is said as the contract does. */
async function refused(client: ChainClient, error: unknown, attempt: Attempt | undefined): Promise<never> {
  const reason = attempt && (await refusedReason(client, error, attempt));
  if (reason === undefined) throw error;
  throw fail(
    'failed',
    `The transaction would revert: ${reason}`,
    'Nothing was sent. To send it all the same, add --gas-limit GAS.',
  );
}

interface Sent {
  network: string;
  hash: string;
}

const settled = ['mined', 'failed', 'dropped'];

interface Watch {
  attempt: Attempt | undefined;
  /** Gets what each look has found. */
  tell: (found: readonly Submission[]) => void;
}

/** Waits until each transaction is mined; one that failed or was dropped ends it when all are settled. */
function settledWait(client: ChainClient, sent: readonly Sent[], { attempt, tell }: Watch): Wait {
  const isOne = sent.length === 1;
  return {
    what: isOne ? 'the transaction' : `${sent.length} transactions`,
    follow: isOne ? `See: slipway tx get ${sent[0]?.hash}` : 'See: slipway tx list',
    isSentence: isOne,
    async look(signal) {
      const found = await Promise.all(
        sent.map(({ network, hash }) => client.transactions.get(hash, { network_id: network }, { signal })),
      );
      tell(found);
      const done = found.filter(({ state }) => settled.includes(state));
      const wrong = done.filter(({ state }) => state !== 'mined');
      const waiting = found.find(({ state }) => !settled.includes(state));
      const isDone = done.length === found.length;
      const counted = isOne ? (found[0]?.state ?? '') : `${done.length}/${found.length} settled`;
      return {
        text: waiting?.message ? `${counted}: ${waiting.message}` : counted,
        step: {
          type: 'step',
          transactions: found.map(({ hash, state, message }) => ({ hash, state, message })),
        },
        isDone,
        problem: isDone && wrong.length > 0 ? await problemOf(client, wrong, attempt) : undefined,
      };
    },
  };
}

async function problemOf(
  client: ChainClient,
  wrong: readonly Submission[],
  attempt: Attempt | undefined,
): Promise<string> {
  const [first, ...others] = wrong;
  if (attempt && first && others.length === 0) {
    const { state, message, block } = first;
    const reason =
      state === 'failed' && block !== undefined ? await reasonOf(client, attempt, block) : undefined;
    return outcomeOf({ state, message: reason ?? message });
  }
  return wrong.map((one) => `${one.hash} ${outcomeOf(one)}`).join('; ');
}

const outcomeOf = ({ state, message }: Pick<Submission, 'state' | 'message'>) =>
  message ? `${state}: ${message}` : `${state}`;
