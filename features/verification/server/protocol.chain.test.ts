import { ContractFactory, JsonRpcProvider } from 'ethers';
import { createFakeKube, type FakeKube } from '../../../core/kube/testing/fake/fake.ts';
import type { SceneNetwork } from '../../../core/outbox/testing/scene.ts';
import { verifiedContractType } from '../api/verifiedContract.ts';
import { startVerifyWorld, type VerifyWorld } from './testing/world.ts';

const chainId = '1200000001';
const compilerVersion = '0.8.28+commit.7893614a';
const content = 'contract Box { uint public x = 7; }';
/** Compiled from `content`, in the file Box.sol, with `metadata.bytecodeHash: none` and without optimizer. */
let bytecode: string;
let kube: FakeKube;
let world: VerifyWorld;
let network: SceneNetwork;
let address: string;

const settings = { metadata: { bytecodeHash: 'none' } };
const inputOf = (text: string) => ({
  language: 'Solidity',
  sources: { 'Box.sol': { content: text } },
  settings,
});

beforeAll(async () => {
  kube = createFakeKube();
  world = await startVerifyWorld(kube, { maxContracts: 2 });
  network = await world.scene.addNetwork('first');
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } };
  const input = JSON.stringify({ ...inputOf(content), settings: { ...settings, outputSelection } });
  const order = JSON.stringify({ workspace: 'test', compiler: compilerVersion, input });
  const compiled = await fetch(`${world.compilers.url}/compile`, { method: 'POST', body: order });
  // biome-ignore lint/suspicious/noExplicitAny: the output of the compiler.
  const output: any = await compiled.json();
  bytecode = output.contracts['Box.sol'].Box.evm.bytecode.object;
  address = await deploy();
});
afterAll(() => world.close());

async function deploy(): Promise<string> {
  const provider = new JsonRpcProvider(network.url, undefined, { staticNetwork: true, cacheTimeout: -1 });
  const contract = await new ContractFactory([], bytecode, world.scene.wallet.connect(provider)).deploy();
  await contract.waitForDeployment();
  provider.destroy();
  return contract.getAddress();
}

const urlOf = (path: string, id = network.id) => `${world.urlOf(id, 'verify')}${path}`;

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(urlOf(path), init);
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  const json: any = await response.json();
  return { status: response.status, json };
}

function submit(change: object = {}, target = address, chain = chainId) {
  const stdJsonInput = inputOf(content);
  const body = JSON.stringify({
    stdJsonInput,
    compilerVersion,
    contractIdentifier: 'Box.sol:Box',
    ...change,
  });
  return ask(`/v2/verify/${chain}/${target}`, { method: 'POST', body });
}

/** Asks until the attempt has ended, as clients do. */
async function outcomeOf(id: string) {
  for (;;) {
    const { json } = await ask(`/v2/verify/${id}`);
    if (json.isJobCompleted) return json;
  }
}

const outcome = async (change: object = {}) => outcomeOf((await submit(change)).json.verificationId);

it('sources that compile to the code on the chain are a match; with no hash of them in the code not an exact one', async () => {
  const { contract, error } = await outcome();
  expect([contract.match, contract.runtimeMatch, contract.creationMatch, error]).toEqual([
    'match',
    'match',
    null,
    undefined,
  ]);
  const { status, json } = await ask(`/v2/contract/${chainId}/${address}?fields=abi,compilation`);
  expect([status, json.match, json.abi[0].name, json.compilation.name]).toEqual([200, 'match', 'x', 'Box']);
});

it.each([
  [
    'other sources',
    { stdJsonInput: inputOf(content.replace('public x', 'public y')) },
    'no_match',
    /other bytecode/,
  ],
  [
    'sources with a mistake',
    { stdJsonInput: inputOf('contract Box { nonsense }') },
    'compiler_error',
    /ParserError/,
  ],
  [
    'a contract that is not in them',
    { contractIdentifier: 'Box.sol:Bag' },
    'compiler_error',
    /no contract Bag/,
  ],
  [
    'a contract with the name of something that all objects have',
    { contractIdentifier: 'Box.sol:toString' },
    'compiler_error',
    /no contract toString/,
  ],
  [
    'a compiler that is not there',
    { compilerVersion: '0.4.26+commit.4563c3fc' },
    'unsupported_compiler_version',
    /it has: Solidity 0\.8\.28/,
  ],
  [
    'a transaction that created something else',
    { creationTransactionHash: `0x${'1'.repeat(64)}` },
    'compiler_error',
    /did not create/,
  ],
])(
  '%s are refused with the reason, and the contract stays verified',
  async (_what, change, code, message) => {
    const { error } = await outcome(change);
    expect(error).toMatchObject({ customCode: code, message: expect.stringMatching(message) });
    expect((await ask(`/v2/contract/${chainId}/${address}`)).json.match).toBe('match');
  },
);

it.each([
  ['another chain id', () => submit({}, address, '1'), /chain id 1200000001, not 1/],
  ['an address without a contract', () => submit({}, `0x${'9'.repeat(40)}`), /no contract at/],
  [
    'another language',
    () => submit({ stdJsonInput: { ...inputOf(''), language: 'Vyper' } }),
    /only Solidity/,
  ],
  [
    'a source by its URL',
    () => submit({ stdJsonInput: { ...inputOf(''), sources: { a: { urls: ['ipfs://a'] } } } }),
    /content of each source/,
  ],
  ['a file that is not there', () => submit({ contractIdentifier: 'Bag.sol:Box' }), /no file Bag\.sol/],
])('%s is 400 in the form of Sourcify', async (_what, request, message) => {
  const { status, json } = await request();
  expect([status, json.message]).toEqual([400, expect.stringMatching(message)]);
  expect(Object.keys(json).sort()).toEqual(['customCode', 'errorId', 'message']);
});

describe('a body that would occupy many times its size', () => {
  const many = { ...inputOf(content), settings: { many: Array.from({ length: 200_000 }, () => ({})) } };
  const form = (fields: Record<string, string>) =>
    ask('', { method: 'POST', body: new URLSearchParams(fields) });

  it('is refused before it is parsed, in both protocols', async () => {
    const message = expect.stringContaining('too many JSON values');
    const { status, json } = await submit({ stdJsonInput: many });
    expect([status, json.message]).toEqual([413, message]);
    const old = await form({
      module: 'contract',
      action: 'verifysourcecode',
      codeformat: 'solidity-standard-json-input',
      contractaddress: address,
      contractname: 'Box.sol:Box',
      compilerversion: compilerVersion,
      sourceCode: JSON.stringify(many),
    });
    expect([old.status, old.json.result]).toEqual([413, message]);
  });

  it('is refused as a form of very many fields', async () => {
    const fields = Array.from({ length: 1000 }, (_, n) => [`f${n}`, '']);
    const { json } = await form({
      module: 'contract',
      action: 'getabi',
      address,
      ...Object.fromEntries(fields),
    });
    expect(json.result).toContain('more than 100 fields');
  });
});

it('an unknown verification and an unknown path are 404, and a contract that is not verified has no match', async () => {
  expect((await ask(`/v2/verify/${address.toLowerCase()}-${'0'.repeat(16)}`)).status).toBe(404);
  expect((await ask('/v2/verify/nonsense')).status).toBe(404);
  expect((await ask('/v2/chains')).status).toBe(404);
  const { status, json } = await ask(`/v2/contract/${chainId}/0x${'9'.repeat(40)}`);
  expect([status, json.match]).toEqual([404, null]);
});

it('Etherscan answers with the sources, and names what it can do', async () => {
  const { json } = await ask(`?module=contract&action=getsourcecode&address=${address}`);
  expect(json.result[0]).toMatchObject({
    ContractName: 'Box',
    CompilerVersion: `v${compilerVersion}`,
    OptimizationUsed: '0',
  });
  expect(JSON.parse(json.result[0].SourceCode.slice(1, -1)).sources['Box.sol'].content).toBe(content);
  const other = await ask('?module=account&action=balance');
  expect([other.status, other.json]).toEqual([
    200,
    expect.objectContaining({ status: '0', result: expect.stringContaining('verifysourcecode') }),
  ]);
});

it('other sources of the same code do not replace those that are stored, unless they match better', async () => {
  const { error } = await outcome({ stdJsonInput: inputOf(content.replace('7', '8')) });
  expect(error).toBeUndefined();
  const path = `/v1alpha/networks/${network.id}/contracts/${address}`;
  expect((await world.api.request(path)).json.sources['Box.sol']).toBe(content);
});

it('code that was replaced is no longer verified', async () => {
  const provider = new JsonRpcProvider(network.url, undefined, { staticNetwork: true });
  const code = await provider.getCode(address);
  await provider.send('anvil_setCode', [address, '0x6001']);
  expect((await ask(`/v2/contract/${chainId}/${address}`)).json.match).toBe(null);
  await provider.send('anvil_setCode', [address, code]);
  expect((await ask(`/v2/contract/${chainId}/${address}`)).json.match).toBe('match');
  provider.destroy();
});

it('a network has no more verified contracts than the installation allows, and no more at a time than four', async () => {
  const { verificationId } = (await submit({}, await deploy())).json;
  expect((await outcomeOf(verificationId)).contract.match).toBe('match');
  const { status, json } = await submit({}, await deploy());
  expect([status, json.customCode, json.message]).toEqual([
    429,
    'rate_limit',
    expect.stringContaining('compilers.maxContracts'),
  ]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => submit()));
  expect(answers.filter((answer) => answer.status === 429).length).toBeGreaterThanOrEqual(2);
  const begun = answers.find((answer) => answer.status === 202);
  if (begun) await outcomeOf(begun.json.verificationId);
});

it('REST lists the contracts of the current chain alone', async () => {
  const path = `/v1alpha/networks/${network.id}/contracts`;
  const { json } = await world.api.request(path);
  expect(json.items).toHaveLength(2);
  expect(json.items[0]).toMatchObject({ origin: 'verified', networkID: network.id, match: 'match' });
  expect(json.items[0]).not.toHaveProperty('abi');
  const one = await world.api.request(`${path}/${address.toLowerCase()}`);
  expect(one.json).toMatchObject({ kind: 'Contract', address, sources: { 'Box.sol': content } });
  await world.scene.reset(network);
  expect((await world.api.request(path)).json.items).toEqual([]);
  expect((await world.api.request(`${path}/${address}`)).status).toBe(404);
  const { items } = await kube.list(verifiedContractType);
  expect(items.every(({ spec }) => spec.networkID === network.id)).toBe(true);
});

it('an installation without compilers says so', async () => {
  const other = await startVerifyWorld(createFakeKube(), { hasCompilers: false });
  const { id } = await other.scene.addNetwork('none');
  const response = await fetch(`${other.urlOf(id, 'verify')}/v2/contract/${chainId}/${address}`);
  expect([response.status, await response.text()]).toEqual([
    501,
    expect.stringContaining('has no compilers'),
  ]);
  await other.close();
});
