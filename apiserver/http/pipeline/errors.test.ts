import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError, budgetUsedUp } from '../../../core/lib/errors.ts';
import { sendError } from './errors.ts';

/** The Retry-After header of the answer to `error`. */
async function retryAfterOf(error: AppError): Promise<string | null> {
  const server = createServer((_request, response) => sendError(response, error, 'id'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } });
  server.close();
  return headers.get('retry-after');
}

it.each([
  ['a conflict that passes', new AppError('Conflict', 'in progress', { retryAfterSeconds: 5 }), '5'],
  ['a conflict that stays', new AppError('Conflict', 'the name is taken'), null],
  ['a limit that names no time', new AppError('TooManyRequests', 'too many'), '1'],
  ['a budget that waiting does not refill', budgetUsedUp('too many'), null],
])('%s says when to retry, if it is worth it', async (_, error, seconds) => {
  expect(await retryAfterOf(error)).toBe(seconds);
});
