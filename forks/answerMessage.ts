import { parseRpcMessage, type RpcMessage } from '../apiserver/gateway/jsonrpc/envelope.ts';
import { createUnlimitedScan, readMembers, skipSpace } from '../apiserver/gateway/jsonrpc/jsonScan.ts';
import type { Hold } from '../apiserver/http/limits/memoryBudget.ts';
import { AppError, messageOf } from '../core/lib/errors.ts';
import type { ForkedChain } from './chain.ts';

interface Asker {
  chain: ForkedChain;
  networkUid: string;
  share: string;
  hold: Pick<Hold, 'take'>;
  /** Reports that the source failed. */
  warn(reason: string): void;
}

/** What a call occupies, besides its text, until it is answered: so few bytes do not hold many of them. */
const callBytes = 2 * 1024;

/** The JSON text that answers a JSON-RPC message of an engine. Rejects with BadRequest if it is not a valid message. */
export async function answerMessage(body: Buffer, asker: Asker): Promise<string> {
  const { isBatch, items } = parseRpcMessage(body);
  asker.hold.take(items.length * callBytes);
  const answers = await Promise.all(items.map((item) => answerItem(item, asker)));
  return isBatch ? `[${answers.join(',')}]` : (answers[0] ?? '');
}

async function answerItem(
  item: RpcMessage['items'][number],
  { chain, warn, ...asker }: Asker,
): Promise<string> {
  const { id = 'null' } = item;
  if ('fault' in item) return errorOf(id, codes.invalid, item.fault);
  try {
    const params = paramsOf(item.text);
    const answer = await chain.ask({ ...asker, method: item.method, params });
    const member = 'result' in answer ? `"result":${answer.result}` : `"error":${answer.error}`;
    return `{"jsonrpc":"2.0","id":${id},${member}}`;
  } catch (error) {
    if (!(error instanceof AppError)) {
      warn(messageOf(error));
      return errorOf(id, codes.failed, 'the call to the fork source failed');
    }
    if (error.status >= 500) warn(error.message);
    return errorOf(id, codeOf(error), error.message);
  }
}

/** JSON-RPC 2.0, section 5.1. Clients send a call again after `limited`. */
const codes = { invalid: -32_600, unknown: -32_601, failed: -32_603, limited: -32_005 };

function codeOf({ reason }: AppError): number {
  if (reason === 'MethodNotAllowed') return codes.unknown;
  return reason === 'TooManyRequests' ? codes.limited : codes.failed;
}

function errorOf(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`;
}

function paramsOf(text: string): string | undefined {
  const { members } = readMembers(createUnlimitedScan(text), skipSpace(text, 0));
  return members.find(({ name }) => name === '"params"')?.value;
}
