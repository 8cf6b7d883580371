import { EventEmitter, once } from 'node:events';
import { call, post, type World } from './testing/fixtures.ts';
import { type LightEngine, startLightEngine } from './testing/lightEngine.ts';
import { openSocket } from './testing/socketFixtures.ts';
import { chainId, fees, receiver, sender, sign as signAs, unknownHash } from './testing/truth/scene.ts';

/** Calls that the light engine answers wrongly by itself, through the gateway. */

/** Returns 42; with calldata, reverts with 0xaa. */
const creation = '0x60118060095f395ff3361561000d5760aa5f5260205ffd5b602a5f5260205ff3';

let engine: LightEngine;
let world: World;

beforeEach(async () => {
  engine = await startLightEngine({ chainId: String(chainId), hotAddress: sender });
  world = engine.world;
});
afterEach(() => engine.stop());

const answer = async (method: string, ...params: unknown[]) =>
  (await post(world.url('admin'), call(method, params))).json;
const ask = async (method: string, ...params: unknown[]) => {
  const { result, error } = await answer(method, ...params);
  if (error) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
};
const sign = (nonce: number, tx: object = { to: receiver, value: 1n }) =>
  signAs(nonce, { type: 2, ...fees, ...tx });
const send = async (nonce: number, tx?: object): Promise<string> =>
  ask('eth_sendRawTransactionSync', await sign(nonce, tx)).then(({ transactionHash }) => transactionHash);

describe('a snapshot whose block is gone', () => {
  const ways = {
    'another revert took it': async () => {
      const first = await ask('evm_snapshot');
      await ask('evm_mine');
      const second = await ask('evm_snapshot');
      await ask('evm_mine');
      expect(await ask('evm_revert', first)).toBe(true);
      return second;
    },
    'a rollback took it': async () => {
      await ask('evm_mine');
      const id = await ask('evm_snapshot');
      await ask('anvil_rollback', 1);
      return id;
    },
    'another block took its place': async () => {
      await ask('evm_mine');
      const id = await ask('evm_snapshot');
      await ask('anvil_rollback', 1);
      await send(0);
      return id;
    },
  };

  test.each(Object.entries(ways))('is gone when %s: false, and nothing changes', async (_reason, lose) => {
    const id = await lose();
    const before = await ask('eth_getBlockByNumber', 'latest', false);
    expect(await ask('evm_revert', id)).toBe(false);
    expect(await ask('eth_getBlockByNumber', 'latest', false)).toEqual(before);
    await ask('evm_mine');
    expect(await ask('eth_blockNumber')).toBe(`0x${(Number(before.number) + 1).toString(16)}`);
  });

  test('is gone in a batch and over a WebSocket too, in the order of the calls', async () => {
    const id = await ways['a rollback took it']();
    const calls = [call('eth_chainId', [], 1), call('evm_revert', [id], 2), call('eth_blockNumber', [], 3)];
    const expected = [{ id: 1 }, { id: 2, result: false }, { id: 3, result: '0x0' }];
    expect((await post(world.url('admin'), calls)).json).toMatchObject(expected);
    const socket = await openSocket(world.url('admin-ws'));
    for (const one of calls) socket.socket.send(JSON.stringify(one));
    expect([await socket.next(), await socket.next(), await socket.next()]).toMatchObject(expected);
    socket.socket.close();
  });

  const forms = (id: string): unknown[] => [id, Number(id), String(Number(id)), id.replace('0x', '0x00')];
  test.each([0, 1, 2, 3])(
    'that was reverted to leaves newer ones alone, in each form of its id: %d',
    async (form) => {
      const first = await ask('evm_snapshot');
      await send(0);
      expect(await ask('evm_revert', first)).toBe(true);
      const second = await ask('evm_snapshot');
      await send(0);
      expect(await ask('evm_revert', forms(first)[form])).toBe(false);
      expect(await ask('evm_revert', `0x${'f'.repeat(64)}`)).toBe(false);
      expect(await ask('evm_revert', second)).toBe(true);
      expect(await ask('eth_getTransactionCount', sender, 'latest')).toBe('0x0');
    },
  );

  test('is gone although a block like its own was mined again', async () => {
    const first = await ask('evm_snapshot');
    const block = async () => {
      await ask('evm_setNextBlockTimestamp', 4_000_000_000);
      await ask('anvil_setNextBlockBaseFeePerGas', '0x7');
      await ask('evm_mine');
      return (await ask('eth_getBlockByNumber', 'latest', false)).hash;
    };
    const hash = await block();
    const second = await ask('evm_snapshot');
    expect(await ask('evm_revert', first)).toBe(true);
    expect(await block()).toBe(hash);
    expect(await ask('evm_revert', second)).toBe(false);
    expect((await ask('eth_getBlockByNumber', 'latest', false)).hash).toBe(hash);
  });

  test.each([[], ['x'], [-1], [1.5], [null], ['0x']])(
    'an id that is none is refused: %j',
    async (...params) => {
      expect((await answer('evm_revert', ...params)).error).toMatchObject({ code: -32602 });
    },
  );

  test('a snapshot whose block is there is reverted to as ever', async () => {
    const id = await ask('evm_snapshot');
    await send(0);
    expect(await ask('evm_revert', id)).toBe(true);
    expect(await ask('eth_blockNumber')).toBe('0x0');
  });
});

test('the trace of a transaction that is not there is an error', async () => {
  const { error } = await answer('debug_traceTransaction', unknownHash, { tracer: 'callTracer' });
  expect(error).toEqual({ code: -32000, message: 'transaction not found' });
  const hash = await send(0);
  expect(await ask('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({ type: 'CALL' });
});

test.each(['flatCallTracer', 'muxTracer', 'erc7562Tracer', 'keccak256PreimageTracer'])(
  'the tracer %s, which the engine does not have, is refused with those that it has',
  async (tracer) => {
    const hash = await send(0);
    for (const [method, ...params] of [
      ['debug_traceTransaction', hash],
      ['debug_traceBlockByNumber', '0x1'],
      ['debug_traceCall', { to: receiver }, 'latest'],
    ] as const) {
      const { error } = await answer(method, ...params, { tracer });
      expect(error?.code).toBe(-32602);
      expect(error?.message).toMatch(new RegExp(`no ${tracer}: use one of callTracer`));
    }
  },
);

describe('eth_feeHistory', () => {
  beforeEach(async () => {
    for (const nonce of [0, 1, 2, 3]) await send(nonce);
  });
  const baseFeeOf = async (number: string) =>
    (await ask('eth_getBlockByNumber', number, false)).baseFeePerGas;

  test.each(['0x1', '0x3', 'earliest', 'safe', 'finalized'])(
    'of a history that ends with block %s, the last base fee is that of the block after it',
    async (newest) => {
      const { oldestBlock, baseFeePerGas } = await ask('eth_feeHistory', '0x2', newest, []);
      const numbers = baseFeePerGas.map(
        (_: string, index: number) => `0x${(Number(oldestBlock) + index).toString(16)}`,
      );
      expect(baseFeePerGas).toEqual(await Promise.all(numbers.map(baseFeeOf)));
      const { number } = await ask('eth_getBlockByNumber', newest, false);
      expect(numbers.at(-2)).toBe(number);
    },
  );

  test.each([[[50, 10]], [[-1]], [[101]], [[10, 10]]])('percentiles %j are refused', async (percentiles) => {
    expect((await answer('eth_feeHistory', '0x2', 'latest', percentiles)).error.message).toMatch(
      /percentile/,
    );
  });

  test('of no blocks is empty', async () => {
    const history = await ask('eth_feeHistory', '0x0', 'latest', []);
    expect(history).toEqual({ oldestBlock: '0x0', gasUsedRatio: null });
  });

  test('beyond the newest block is refused', async () => {
    expect((await answer('eth_feeHistory', '0x2', '0xffff', [])).error.message).toMatch(/beyond head block/);
    for (const far of ['0x7fffffffffffffff', '0xffffffffffffffff'])
      expect((await answer('eth_feeHistory', '0x2', far, [])).error.message).toMatch(/beyond head block/);
  });
});

test.each([
  ['ends before it begins', { fromBlock: '0x5', toBlock: '0x2' }, /fromBlock \(5\) is after toBlock \(2\)/],
  ['is about pending logs', { fromBlock: 'pending' }, /pending logs are not supported/],
])('a filter that %s is refused', async (_reason, filter, message) => {
  for (const method of ['eth_getLogs', 'eth_newFilter'])
    expect((await answer(method, filter)).error.message).toMatch(message);
});

test('the gas of a transfer that the sender cannot pay is not estimated', async () => {
  const { error } = await answer('eth_estimateGas', { from: receiver, to: sender, value: '0xffff' });
  expect(error.message).toMatch(/insufficient funds for gas \* price \+ value/);
  expect(await ask('eth_estimateGas', { from: sender, to: receiver, value: '0x1' })).toBe('0x5208');
});

describe('eth_simulateV1', () => {
  test('simulates the blocks after the one that it names, without a base fee', async () => {
    await send(0);
    const head = await ask('eth_getBlockByNumber', 'latest', false);
    const blocks = [{ calls: [{ from: sender, to: receiver, value: '0x1' }] }, {}];
    const simulated = await ask('eth_simulateV1', { blockStateCalls: blocks }, 'latest');
    expect(simulated).toMatchObject([
      { number: '0x2', parentHash: head.hash, baseFeePerGas: '0x0', calls: [{ status: '0x1' }] },
      { number: '0x3', parentHash: simulated[0].hash },
    ]);
  });

  test('says why a call reverted as eth_call does', async () => {
    const { contractAddress } = await ask('eth_sendRawTransactionSync', await sign(0, { data: creation }));
    const calls = [{ from: sender, to: contractAddress, input: '0x01' }];
    const [block] = await ask('eth_simulateV1', { blockStateCalls: [{ calls }] }, 'latest');
    const data = `0x${'aa'.padStart(64, '0')}`;
    expect(block.calls).toMatchObject([{ error: { code: 3, message: 'execution reverted', data } }]);
  });

  test('puts empty blocks before one whose number is further ahead', async () => {
    const calls = [{ from: sender, to: receiver, value: '0x1' }];
    const blockStateCalls = [{ blockOverrides: { number: '0x3' }, calls }, {}];
    const simulated = await ask('eth_simulateV1', { blockStateCalls }, 'latest');
    expect(simulated).toMatchObject([
      { number: '0x1', calls: [] },
      { number: '0x2', calls: [], parentHash: simulated[0].hash },
      { number: '0x3', calls: [{ status: '0x1' }], parentHash: simulated[1].hash },
      { number: '0x4', calls: [] },
    ]);
  });

  test.each(['latest', '0x1'])('with validation takes the base fee of the block after %s', async (block) => {
    for (const nonce of [0, 1]) await send(nonce);
    const [simulated] = await ask('eth_simulateV1', { blockStateCalls: [{}], validation: true }, block);
    await send(2);
    const mined = await ask('eth_getBlockByNumber', simulated.number, false);
    expect(simulated.baseFeePerGas).toBe(mined.baseFeePerGas);
  });

  test.each([
    ['that goes back', '0x1', -38020],
    ['that is too far ahead', '0x1000', -38026],
    ['of more than 64 bits', '0x10000000000000000', -32602],
    ['that is decimal', '99999999999999999999', -32602],
  ])('refuses a number %s', async (_reason, number, code) => {
    await send(0);
    const { error } = await answer(
      'eth_simulateV1',
      { blockStateCalls: [{ blockOverrides: { number } }] },
      'latest',
    );
    expect(error.code).toBe(code);
  });

  test.each([
    ['no block', { blockStateCalls: [] }, /is empty/],
    [
      'full transactions',
      { blockStateCalls: [{}], returnFullTransactions: true },
      /leave out returnFullTransactions/,
    ],
    [
      'a creation',
      { blockStateCalls: [{ calls: [{ data: creation }] }] },
      /cannot simulate the creation of a contract/,
    ],
  ])('refuses %s', async (_reason, payload, message) => {
    expect((await answer('eth_simulateV1', payload, 'latest')).error.message).toMatch(message);
  });
});

test.each(['eth_call', 'eth_estimateGas', 'eth_createAccessList', 'debug_traceCall', 'eth_simulateV1'])(
  'a precompiled contract that %s moves, which the engine would leave where it is, is refused',
  async (method) => {
    const tx = { from: sender, to: receiver };
    const stateOverrides = { [`0x${'01'.padStart(40, '0')}`]: { movePrecompileToAddress: receiver } };
    const params: Record<string, unknown[]> = {
      debug_traceCall: [tx, 'latest', { tracer: 'callTracer', stateOverrides }],
      eth_simulateV1: [{ blockStateCalls: [{ stateOverrides, calls: [tx] }] }, 'latest'],
    };
    const { error } = await answer(method, ...(params[method] ?? [tx, 'latest', stateOverrides]));
    expect(error?.message).toMatch(/cannot move precompiled contracts/);
  },
);

test.each([
  ['eth_getBlockTransactionCountByNumber', '0xffff'],
  ['eth_getUncleCountByBlockNumber', '0xffff'],
  ['eth_getUncleCountByBlockHash', unknownHash],
  ['eth_getUncleByBlockNumberAndIndex', '0xffff', '0x0'],
  ['eth_getUncleByBlockHashAndIndex', unknownHash, '0x0'],
])('%s finds nothing in a block that is not there', async (method, ...params) => {
  expect(await answer(method, ...params)).toMatchObject({ result: null });
});

test('the pending block has no uncles, and its receipts are refused', async () => {
  expect(await ask('eth_getUncleCountByBlockNumber', 'pending')).toBe('0x0');
  const { error } = await answer('eth_getBlockReceipts', 'pending');
  expect(error.message).toMatch(/name a block that is mined/);
});

describe('a transaction that is dropped', () => {
  const pooled = async (nonce: number) => ask('eth_sendRawTransaction', await sign(nonce));

  test('is gone from the pool when it was next', async () => {
    await ask('evm_setAutomine', false);
    const hash = await pooled(0);
    expect(await ask('anvil_dropTransaction', hash)).toBe(hash);
    expect(await ask('eth_getTransactionByHash', hash)).toBe(null);
  });

  test.each(['anvil_dropTransaction', 'hardhat_dropTransaction'])(
    '%s says that it cannot drop one of a future nonce, which stays',
    async (method) => {
      const hash = await pooled(7);
      expect((await answer(method, hash)).error.message).toContain('anvil_removePoolTransactions');
      expect(await ask('eth_getTransactionByHash', hash)).toMatchObject({ hash });
    },
  );

  test('is null when the chain does not have it, or has mined it', async () => {
    expect(await ask('anvil_dropTransaction', unknownHash)).toBe(null);
    expect(await ask('anvil_dropTransaction', await send(0))).toBe(null);
  });
});

test('has no peers', async () => {
  expect(await ask('net_peerCount')).toBe('0x0');
});

describe('eth_sendRawTransactionSync', () => {
  test('answers the receipt', async () => {
    expect(await ask('eth_sendRawTransactionSync', await sign(0), 500)).toMatchObject({ status: '0x1' });
  });

  test('answers with the hash of what is not mined in time', async () => {
    await ask('evm_setAutomine', false);
    const raw = await sign(0);
    const { error } = await answer('eth_sendRawTransactionSync', raw, 20);
    expect(error).toMatchObject({ code: 4, message: expect.stringContaining('not mined within 20 ms') });
    expect(await ask('eth_getTransactionByHash', error.data)).toMatchObject({ blockNumber: null });
  });

  test.each([0, -1, 'soon', 30_001])('refuses the timeout %j', async (timeout) => {
    expect((await answer('eth_sendRawTransactionSync', await sign(0), timeout)).error.code).toBe(-32602);
    expect(await ask('eth_getTransactionCount', sender, 'pending')).toBe('0x0');
  });

  test('answers what the node says to a transaction that it refuses', async () => {
    expect((await answer('eth_sendRawTransactionSync', '0x12')).error.message).toMatch(/decode/);
  });
});

describe('the id of a call', () => {
  test.each(['1.5', '1e3', '9223372036854775808', '-9223372036854775809'])(
    '%s, which the engine cannot give back, is refused with it, and the rest of the batch is answered',
    async (id) => {
      const odd = `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`;
      const { text } = await post(world.url(), `[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},${odd}]`);
      expect(text).toContain('"result":"0x539"');
      expect(text).toContain(`"id":${id},"error":{"code":-32600`);
    },
  );

  test.each(['0', '-1', '9223372036854775807', '"1.5"', '""', '"a\\"b"', '"ü"'])(
    '%s comes back',
    async (id) => {
      const { text } = await post(world.url(), `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`);
      expect(JSON.parse(text)).toMatchObject({ id: JSON.parse(id), result: '0x539' });
    },
  );
});

test('who waits for a finalized block alone gets one', async () => {
  const hash = await send(0);
  const { number } = await ask('eth_getTransactionByHash', hash).then((tx) => ({
    number: Number(tx.blockNumber),
  }));
  for (;;) {
    const { json } = await post(world.url(), call('eth_getBlockByNumber', ['finalized', false]));
    if (Number(json.result.number) >= number) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

test.each(['debug_getRawBlock', 'eth_getHeaderByNumber', 'txpool_contentFrom', 'rpc_modules'])(
  '%s, which the engine does not have, is refused with the reason',
  async (method) => {
    const { error } = await answer(method, 'latest');
    expect(error).toMatchObject({
      code: -32601,
      message: expect.stringContaining('engine does not have it'),
    });
  },
);

describe('code that begins like that of a delegated account', () => {
  test.each(['anvil_setCode', 'hardhat_setCode'])(
    '%s refuses it where the engine would end',
    async (method) => {
      for (const code of ['0xef01', '0xEF01ff', `0xef0101${'11'.repeat(20)}`, `0xef0100${'11'.repeat(21)}`])
        expect((await answer(method, receiver, code)).error).toMatchObject({
          code: -32602,
          message: expect.stringContaining('EIP-7702'),
        });
      expect(await ask('eth_chainId')).toBeDefined();
    },
  );

  test('is refused also if it is written with escapes', async () => {
    const text = JSON.stringify(call('anvil_setCode', [receiver, '0xef01'])).replace(
      '0xef01',
      '\\u0030xef01',
    );
    expect((await post(world.url('admin'), text)).json.error).toMatchObject({ code: -32602 });
    expect(await ask('eth_chainId')).toBeDefined();
  });

  test('of an account that is delegated is set', async () => {
    const code = `0xef0100${'11'.repeat(20)}`;
    await ask('anvil_setCode', receiver, code);
    expect(await ask('eth_getCode', receiver, 'latest')).toBe(code);
    await ask('anvil_setCode', receiver, '0xef02');
    expect(await ask('eth_getCode', receiver, 'latest')).toBe('0xef02');
  });
});

test('the engine itself reads what the gateway lets through: how long a call may be is said by one of them', async () => {
  const code = `0x${'00'.repeat(1_060_000)}`;
  const body = call('eth_call', [{ to: receiver }, 'latest', { [receiver]: { code } }], 7);
  expect((await post(engine.url, body)).json).toMatchObject({ id: 7, result: '0x' });
});

test('a simulated block whose number is beyond 2^53 is refused, and not simulated as the next one', async () => {
  const payload = { blockStateCalls: [{ blockOverrides: { number: '0x7fffffffffffffff' }, calls: [] }] };
  const message = 'too many blocks, with those before block 9223372036854775807: at most 256';
  expect((await answer('eth_simulateV1', payload, 'latest')).error).toEqual({ code: -38026, message });
});

test('the engine goes on with a call whose caller has gone', async () => {
  // Burns all gas but 100,000, and prints 42 with console.log(uint256) then.
  const burn =
    '0x5b5a620186a01060005763f82c50f160e01b600052602a60045260006000602460006a636f6e736f6c652e6c6f675afa00';
  await ask('anvil_setCode', receiver, burn);
  const lines: string[] = [];
  const print = new EventEmitter();
  engine.onLine((line) => {
    lines.push(line.trim());
    print.emit('line');
  });
  const whenPrinted = async (line: string) => {
    while (!lines.includes(line)) await once(print, 'line');
  };
  const caller = new AbortController();
  const body = JSON.stringify(call('eth_call', [{ to: receiver, gas: '0x3b9aca00' }]));
  const headers = { 'content-type': 'application/json' };
  const gone = fetch(engine.url, { method: 'POST', headers, body, signal: caller.signal });
  await whenPrinted('eth_call');
  caller.abort();
  await expect(gone).rejects.toThrow();
  expect(lines).not.toContain('42');
  await whenPrinted('42');
});
