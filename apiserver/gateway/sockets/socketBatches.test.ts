import { collectGarbage } from '../../../core/lib/testing/garbage.ts';
import type { Hold } from '../../http/limits/memoryBudget.ts';
import { type Screened, screen } from '../policy/screen.ts';
import { evmServices } from '../policy/services.ts';
import { call } from '../testing/fixtures.ts';
import { createSocketBatches } from './socketBatches.ts';

const mebibyte = 1024 * 1024;

/** A batch of which the first call is refused and the others are forwarded. */
function screened(ids: readonly unknown[], params: unknown[] = []): Screened {
  const policy = evmServices.get('ws');
  if (policy?.kind !== 'jsonRpc') throw new Error('ws is JSON-RPC');
  const calls = [call('evm_mine', [], ids[0]), ...ids.slice(1).map((id) => call('eth_call', params, id))];
  return screen(Buffer.from(JSON.stringify(calls)), { access: 'public', policy });
}

function countingHold(): Hold & { held: number } {
  const hold = {
    held: 0,
    take(bytes: number) {
      hold.held += bytes;
    },
    give(bytes: number) {
      hold.held -= bytes;
    },
    release: () => undefined,
  };
  return hold;
}

const answerTo = (id: string) => Buffer.from(`[{"id":${id},"result":1}]`);

it.each([
  ['a number in another form', [1, 2], '2.0'],
  ['a text with an escape', [1, 'a'], '"\\u0061"'],
])('completes the answer to a batch whose id is %s', (_reason, ids, id) => {
  const hold = countingHold();
  const batches = createSocketBatches(hold);
  batches.expect(screened(ids));
  const completed = JSON.parse(batches.complete(answerTo(id)).toString());
  expect(completed).toMatchObject([{ id: 1, error: { code: -32601 } }, { result: 1 }]);
  expect(hold.held).toBe(0);
});

it('completes the older one of two open batches with the same ids', () => {
  const batches = createSocketBatches(countingHold());
  batches.expect(screened(['first', 7]));
  batches.expect(screened(['second', 7]));
  const completed = [1, 2].map(() => JSON.parse(batches.complete(answerTo('7')).toString())[0].id);
  expect(completed).toEqual(['first', 'second']);
});

it('an open batch keeps nothing of the calls that were forwarded', () => {
  const used = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const batches = createSocketBatches(countingHold());
  const before = used();
  for (let index = 0; index < 20; index += 1) {
    const ids = ['a', 'b'].map((name) => `${name}: an id that is longer than a few characters ${index}`);
    batches.expect(screened(ids, ['x'.repeat(mebibyte)]));
  }
  expect(used() - before).toBeLessThan(5 * mebibyte);
  expect(batches.complete(answerTo('"none"'))).toEqual(answerTo('"none"'));
});

it('an open batch of many short ids is charged for what it occupies', () => {
  const hold = countingHold();
  createSocketBatches(hold).expect(screened(Array.from({ length: 1000 }, (_, id) => id)));
  expect(hold.held).toBeGreaterThan(100_000);
});
