import { Contract, HDNodeWallet, JsonRpcProvider, Wallet } from 'ethers';
import { getJson } from '../lib/cluster.ts';
import { type Answer, until } from '../lib/service.ts';
import { hotKey } from './endpoints.ts';
import { headOf, type Rpc, rpcAt, urlsOf } from './networkFields.ts';
import { addRow, printReport } from './report.ts';
import { closeWorld, openWorld, send, type World } from './world.ts';

/**
 * Checks what each field of the specification does, against the installed service: not that it is there, but its effect.
 * Two networks serve all rows: one with every field that can be seen from outside, and one that names nothing.
 */

const tx = '/v1alpha1/transaction';
const phrase = 'test test test test test test test test test test test junk';
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const chosen = { chainID: '424242', blockTime: 2, gasLimit: 12_345_678 };
const named = {
  ...chosen,
  privateKeyRef: { name: 'hot' },
  mnemonicRef: { name: 'words' },
  validatorCount: 64,
};

let world: World;
let full: Answer;
let plain: Answer;
let rpc: Rpc;
let plainRpc: Rpc;

const ask = (method: string, path: string, more: object = {}): Promise<Answer> =>
  send({ method, path, by: world.key, ...more });
const read = (id: string) => ask('GET', '/v1alpha/networks/{id}', { params: { id } });
const untilUp = (id: string) =>
  until(
    'Operational',
    () => read(id),
    ({ body }) => body.status.state === 'Operational',
  );

beforeAll(async () => {
  world = await openWorld();
  const keep = (name: string, type: string, data: string) =>
    ask('POST', '/v1alpha/secrets', { body: { name, type, data } });
  await keep('hot', 'private-key', base64(hotKey));
  await keep('words', 'mnemonic', base64(phrase));
  const post = (name: string, spec: object) => ask('POST', '/v1alpha/networks', { body: { name, spec } });
  full = await post('full', { persistent: true, chain: { type: 'Ethereum', ethereum: named } });
  plain = await post('plain', { chain: { type: 'Base', base: {} } });
  expect([full.status, plain.status]).toEqual([201, 201]);
  await Promise.all([full, plain].map(({ body }) => untilUp(body.id)));
  rpc = rpcAt((await urlsOf(world, full.body.id)).rpc ?? '');
  plainRpc = rpcAt((await urlsOf(world, plain.body.id)).rpc ?? '');
});
afterAll(async () => {
  printReport();
  await closeWorld(world);
});

/** One line of the report for each effect that was seen. */
const seen = (object: string, field: string, effect: unknown) => addRow('effect', object, field, effect);

describe('fields of a network', () => {
  it('chainID: the chain has it', async () => {
    const id = Number(await rpc('eth_chainId'));
    seen('EthereumSpec', 'chainID', id);
    expect(String(id)).toBe(chosen.chainID);
  });

  it('chainID: generated if omitted on create', async () => {
    const { body } = await read(plain.body.id);
    const id = Number(await plainRpc('eth_chainId'));
    seen('Layer2Spec', 'chainID', id);
    expect(body.spec.chain.base.chainID).toBeUndefined();
    expect(String(id)).toBe(body.status.chainID);
  });

  it('blockTime: seconds between blocks, without any transaction', async () => {
    const first = await headOf(rpc);
    const later = await until(
      'two more blocks',
      () => headOf(rpc),
      ({ number }) => number >= first.number + 2,
    );
    const spacing = (later.timestamp - first.timestamp) / (later.number - first.number);
    seen('EthereumSpec', 'blockTime', spacing);
    expect(spacing).toBe(chosen.blockTime);
  });

  it('gasLimit: that of the blocks', async () => {
    const { gasLimit } = await headOf(rpc);
    seen('EthereumSpec', 'gasLimit', gasLimit);
    expect(gasLimit).toBe(chosen.gasLimit);
  });

  it.each([
    ['privateKeyRef', new Wallet(`0x${hotKey.toString('hex')}`).address],
    ['mnemonicRef', HDNodeWallet.fromPhrase(phrase).address],
  ])('%s: its account has funds', async (field, address) => {
    const balance = BigInt(String(await rpc('eth_getBalance', address, 'latest')));
    seen('EthereumSpec', field, balance);
    expect(balance).toBeGreaterThan(10n ** 18n);
  });

  it('persistent: the chain is on a volume, and no idle stop is due', async () => {
    const { body } = await read(full.body.id);
    const { items } = await getJson('pvc', '--namespace', world.namespace);
    const own = items.filter(
      ({ metadata }: { metadata: { labels?: Record<string, string> } }) =>
        metadata.labels?.['slipway.dev/network'] === full.body.id,
    );
    seen('Network', 'spec.persistent', `${body.status.storage}, ${own.length} volume`);
    expect([body.status.storage, own.length]).toEqual(['Volume', 1]);
    expect((await read(plain.body.id)).body.status.storage).toBe('Pod');
  });

  it('validatorCount without participants: a Warning, and status.message, say that it has no effect', async () => {
    const { body } = await read(full.body.id);
    seen('EthereumSpec', 'validatorCount', body.status.message);
    expect(full.headers.get('warning')).toContain('validatorCount has no effect');
    expect(body.status.message).toContain('validatorCount has no effect');
  });

  it('forking.enabled without a source, and a public chain id: 400 with the remedy', async () => {
    const post = (base: object) =>
      ask('POST', '/v1alpha/networks', { body: { name: 'no', spec: { chain: { type: 'Base', base } } } });
    const { status, body } = await post({ chainID: '8453' });
    expect([status, body.details[0].path]).toEqual([400, 'spec.chain.base.chainID']);
    expect(body.message).toContain('omit it');
  });

  it('maintenanceRequest: ResetState starts another chain, and the nonce is observed', async () => {
    const { id } = plain.body;
    const before = (await read(id)).body;
    const spec = { ...before.spec, maintenanceRequest: { action: 'ResetState', nonce: 7 } };
    expect((await ask('PUT', '/v1alpha/networks/{id}', { params: { id }, body: { spec } })).status).toBe(200);
    const { body } = await until(
      'the nonce',
      () => read(id),
      ({ body: now }) => now.status.observedMaintenanceNonce === 7 && now.status.state === 'Operational',
    );
    seen('Network', 'spec.maintenanceRequest', `${before.status.enclaveID} to ${body.status.enclaveID}`);
    expect(body.status.enclaveID).not.toBe(before.status.enclaveID);
  });

  it('metadata: rev grows with the spec, updatedAt with a change, ownerID is the creator', async () => {
    const { body } = await read(plain.body.id);
    expect(body.metadata.rev).toBeGreaterThan(plain.body.metadata.rev);
    expect(Date.parse(body.metadata.updatedAt)).toBeGreaterThanOrEqual(Date.parse(body.metadata.createdAt));
    expect([body.metadata.ownerID, body.metadata.name]).toEqual([world.owner.userId, 'plain']);
  });

  it.each([
    ['limit', '?limit=1', 1],
    ['limit over the maximum', '?limit=100000', 2],
    ['no limit', '', 2],
    ['selector', `?selector=${encodeURIComponent('spec.chain.type IN (Base, BNB)')}`, 1],
  ])('lists: %s', async (_what, query, count) => {
    const { status, body } = await ask('GET', '/v1alpha/networks', { query });
    expect([status, body.items.length, body.metadata.cursor !== undefined]).toEqual([
      200,
      count,
      query === '?limit=1',
    ]);
  });
});

describe('fields of a secret', () => {
  it('type is any text, and data comes back as it was sent', async () => {
    const data = base64('correct horse');
    const { status, body } = await ask('POST', '/v1alpha/secrets', {
      body: { name: 'any', type: 'any text!', data },
    });
    expect(status).toBe(201);
    const found = await ask('GET', '/v1alpha/secrets/{id}', { params: { id: body.id } });
    expect([found.body.type, found.body.data]).toEqual(['any text!', data]);
  });

  it.each([
    ['base64 of hexadecimal text', base64(hotKey.toString('hex'))],
    ['hexadecimal text', hotKey.toString('hex')],
  ])('data of a private key: %s is stored, with the remedy in a warning', async (what, data) => {
    const name = what.replaceAll(' ', '-');
    const { status, headers } = await ask('POST', '/v1alpha/secrets', {
      body: { name, type: 'private-key', data },
    });
    expect(status).toBe(201);
    expect(headers.get('warning')).toMatch(/xxd -r -p/);
  });
});

describe('fields of a transaction', () => {
  const submit = (item: object) =>
    ask('POST', `${tx}/submit`, { body: { transactions_by_network: { [full.body.id]: [item] } } });
  const mined = async (answer: Answer) => {
    expect([answer.status, answer.body.message]).toEqual([202, undefined]);
    const [hash] = answer.body.tx_hashes_by_network[full.body.id];
    await until(
      'the receipt',
      () => rpc('eth_getTransactionReceipt', hash),
      (receipt) => receipt !== null,
    );
    return (await rpc('eth_getTransactionByHash', hash)) as Record<string, string>;
  };
  const to = `0x${'ab'.repeat(20)}`;

  it('from, data and to may be omitted; value arrives', async () => {
    const sent = await mined(await submit({ to, value: '5' }));
    expect([sent.from, sent.input, BigInt(sent.value ?? 0)]).toEqual([world.address.toLowerCase(), '0x', 5n]);
    expect(BigInt(String(await rpc('eth_getBalance', to, 'latest')))).toBe(5n);
    const created = await mined(
      await submit({ to: null, value: '0', data: '600a600c600039600a6000f3602a60005260206000f3' }),
    );
    expect(created.to).toBeNull();
  });

  it('gas_limit, max_fee_per_gas and max_priority_fee_per_gas are those of the transaction', async () => {
    const fees = { max_fee_per_gas: '9000000000', max_priority_fee_per_gas: '1000000000' };
    const sent = await mined(
      await submit({ from: world.address, to, value: '0', data: '0x', gas_limit: 54_321, ...fees }),
    );
    const { gas, maxFeePerGas, maxPriorityFeePerGas } = sent;
    expect([gas, maxFeePerGas, maxPriorityFeePerGas].map(Number)).toEqual([54_321, 9e9, 1e9]);
  });
});

describe('fields of a token', () => {
  it('name, symbol, decimals, total_supply and owner are those on the chain', async () => {
    const owner = `0x${'cd'.repeat(20)}`;
    const args = { total_supply: '1000000', initial_supply: '1000', owner };
    const body = {
      name: 'Walked Token',
      symbol: 'WLK',
      decimals: 6,
      deployments: [{ network_id: full.body.id, args }],
    };
    const { status, body: token } = await ask('POST', `${tx}/token/erc20/deploy`, { body });
    expect(status).toBe(201);
    const { body: deployed } = await until(
      'its address',
      () => ask('GET', `${tx}/token/{token_id}`, { params: { token_id: token.id } }),
      (answer) => answer.body.deployments[0].token_address !== '',
    );
    const [one] = deployed.deployments;
    const provider = new JsonRpcProvider((await urlsOf(world, full.body.id)).rpc);
    const abi = ['name', 'symbol'].map((name) => `function ${name}() view returns (string)`);
    const numbers = [
      'function decimals() view returns (uint8)',
      'function balanceOf(address) view returns (uint256)',
    ];
    const contract = new Contract(one.token_address, [...abi, ...numbers], provider);
    const view = (name: string, ...params: unknown[]) => contract.getFunction(name).staticCall(...params);
    const found = [
      await view('name'),
      await view('symbol'),
      await view('decimals'),
      await view('balanceOf', owner),
    ];
    provider.destroy();
    seen('Token', 'name symbol decimals owner', found.join(' '));
    expect(found).toEqual(['Walked Token', 'WLK', 6n, 1000n]);
    expect([deployed.total_supply, one.args]).toEqual(['1000000', args]);
    const receipt = await rpc('eth_getTransactionReceipt', one.deployment_tx);
    expect(receipt).toMatchObject({ status: '0x1' });
  });

  it('selector: a value with blanks needs no quotes', async () => {
    const query = `?selector=${encodeURIComponent('name == Walked Token')}`;
    const { body } = await ask('GET', `${tx}/token`, { query });
    expect(body.items.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['WLK']);
  });
});

describe('fields of a recording', () => {
  it('records what its wallet sends, and recorded_data is a replay document', async () => {
    const start = { userAddress: world.address, networkIds: [full.body.id] };
    const { status, body: started } = await ask('POST', `${tx}/recording/start`, { body: start });
    expect(status).toBe(201);
    const get = () => ask('GET', `${tx}/recording/{id}`, { params: { id: started.recordingId } });
    const isRecording = ({ body }: Answer) =>
      body.networks?.every(({ state }: { state: string }) => state === 'recording');
    await until('the recording', get, isRecording);
    const item = { to: `0x${'ef'.repeat(20)}`, value: '3' };
    const sent = await ask('POST', `${tx}/submit`, {
      body: { transactions_by_network: { [full.body.id]: [item] } },
    });
    const [hash] = sent.body.tx_hashes_by_network[full.body.id];
    await until(
      'the receipt',
      () => rpc('eth_getTransactionReceipt', hash),
      (receipt) => receipt !== null,
    );
    expect((await ask('POST', `${tx}/recording/stop`, { body: started })).status).toBe(400);
    const stopped = await ask('POST', `${tx}/recording/stop`, { body: { recordingId: started.recordingId } });
    expect([stopped.status, stopped.body.state]).toEqual([200, 'recorded']);
    const { body: recorded } = await until('the transaction', get, ({ body }) =>
      JSON.stringify(body.recorded_data ?? {}).includes(hash),
    );
    const replay = {
      replayDocument: recorded.recorded_data,
      networkMapping: { [full.body.id]: full.body.id },
    };
    const { status: code, body: outcome } = await ask('POST', `${tx}/recording/replay`, { body: replay });
    seen('Recording', 'recorded_data', outcome.totalTransactions);
    expect([code, outcome.success, outcome.totalTransactions]).toEqual([200, true, 1]);
    expect(outcome.appliedNetworkMapping).toEqual(replay.networkMapping);
  });
});
