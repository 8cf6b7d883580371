import type { Submission, SubmitRequest } from '../../sdk/src/generated/types.ts';
import type { Client } from '../lib/client.ts';
import type { Context } from '../lib/context.ts';
import { fail } from '../lib/failure.ts';
import type { Options } from '../lib/options.ts';
import { namesOfNetworks } from '../lib/resolve.ts';
import { type Wait, waitUntil } from '../lib/wait.ts';

/**
 * Submits transactions and prints their hashes; with --wait, once they are settled, and then as JSON also `submissions`: what
 * was last known of each, with the address of a contract that it created.
 */
export async function submitBody(context: Context, body: SubmitRequest, options: Options): Promise<void> {
  const { io, ui } = context;
  const client = await context.client();
  const idempotencyKey = options.text('idempotencyKey');
  const answer = await client.transactions.submit(body, { idempotencyKey, signal: io.signal });
  const sent = Object.entries(answer.tx_hashes_by_network).flatMap(([network, hashes]) =>
    hashes.map((hash) => ({ network, hash })),
  );
  let submissions: readonly Submission[] = [];
  const isWaiting = options.isSet('wait') && sent.length > 0;
  try {
    if (isWaiting)
      await waitUntil(
        context,
        settledWait(client, sent, (found) => {
          submissions = found;
        }),
        options,
      );
  } finally {
    // Also when the wait ends otherwise: what was sent goes on.
    ui.answer(isWaiting ? { ...answer, submissions } : answer, sent.map(({ hash }) => `${hash}\n`).join(''));
  }
  for (const { contract_address: address } of submissions)
    if (address) ui.note(`Created contract ${address}`);
  const [refused] = Object.entries(answer.errors_by_network ?? {});
  if (!refused) return;
  const names = await namesOfNetworks(client);
  throw fail('failed', `Network "${names.of(refused[0])}" accepted none: ${refused[1].message}`);
}

interface Sent {
  network: string;
  hash: string;
}

const settled = ['mined', 'failed', 'dropped'];

/**
 * Waits until each transaction is mined; one that failed or was dropped ends it when all are settled. `tell` gets what each
 * look has found.
 */
function settledWait(
  client: Client,
  sent: readonly Sent[],
  tell: (found: readonly Submission[]) => void,
): Wait {
  return {
    what: sent.length === 1 ? `transaction ${sent[0]?.hash}` : `${sent.length} transactions`,
    follow: 'See: slipway tx list',
    async look(signal) {
      const found = await Promise.all(
        sent.map(({ network, hash }) => client.transactions.get(hash, { network_id: network }, { signal })),
      );
      tell(found);
      const done = found.filter(({ state }) => settled.includes(state));
      const wrong = done.filter(({ state }) => state !== 'mined');
      const waiting = found.find(({ state }) => !settled.includes(state));
      const isDone = done.length === found.length;
      const counted = found.length === 1 ? (found[0]?.state ?? '') : `${done.length}/${found.length} settled`;
      return {
        text: waiting?.message ? `${counted}: ${waiting.message}` : counted,
        step: {
          type: 'step',
          transactions: found.map(({ hash, state, message }) => ({ hash, state, message })),
        },
        isDone,
        problem: isDone && wrong.length > 0 ? wrong.map(problemOf).join('; ') : undefined,
      };
    },
  };
}

const problemOf = ({ hash, state, message }: Submission) =>
  `${hash} ${state}${message ? `: ${message}` : ''}`;
