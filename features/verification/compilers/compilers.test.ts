import { type RunningCompilers, startCompilers } from './testing/compilers.ts';

const commit = '0.8.28+commit.7893614a';

async function compile(
  { url }: RunningCompilers,
  { content, compiler = commit, workspace = 'one', settings = {} }: Record<string, unknown>,
) {
  const outputSelection = { '*': { '*': ['evm.bytecode.object'] } };
  const input = JSON.stringify({
    language: 'Solidity',
    sources: { 'a.sol': { content } },
    settings: { outputSelection, ...Object(settings) },
  });
  const response = await fetch(`${url}/compile`, {
    method: 'POST',
    headers: { 'x-slipway-workspace': String(workspace) },
    body: JSON.stringify({ workspace, compiler, input }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read JSON of any shape.
  const json: any = await response.json();
  return { status: response.status, json };
}

/** Takes the optimizer minutes. */
const endless = `contract A { ${Array.from(
  { length: 2000 },
  (_, at) =>
    `function f${at}(uint a) public pure returns (uint) { for (uint i=0;i<a;i++) { a ^= i*${at}; } return a; }`,
).join('\n')} }`;

describe('the compilers', () => {
  let compilers: RunningCompilers;
  beforeAll(async () => {
    compilers = await startCompilers();
  });
  afterAll(() => compilers.close());

  it('compile standard JSON', async () => {
    const { status, json } = await compile(compilers, { content: 'contract A { uint public x = 7; }' });
    expect(status).toBe(200);
    expect(json.contracts['a.sol'].A.evm.bytecode.object).toMatch(/^6080/);
  });

  it('take the version with and without its commit and platform', async () => {
    const content = 'contract A {}';
    const names = ['0.8.28', `v${commit}`, `${commit}.Emscripten.clang`];
    for (const compiler of names) expect((await compile(compilers, { content, compiler })).status).toBe(200);
  });

  it('refuse a version that they do not have, and name those that they have', async () => {
    const { status, json } = await compile(compilers, { content: '', compiler: 'v0.4.11+commit.68ef5810' });
    expect([status, json.message]).toEqual([
      404,
      expect.stringMatching(/0\.4\.11.*; it has: Solidity 0\.8\.28$/),
    ]);
  });

  it('refuse another build of a version', async () => {
    const { status, json } = await compile(compilers, { content: '', compiler: '0.8.28+commit.00000000' });
    expect([status, json.message]).toEqual([
      400,
      expect.stringContaining('the installation has 0.8.28+commit.7893614a'),
    ]);
  });

  it('read no file of their machine: an import of one is not found', async () => {
    const { json } = await compile(compilers, { content: 'import "/etc/passwd"; contract A {}' });
    expect(JSON.stringify(json.errors)).toMatch(/\/etc\/passwd\\" not found/);
    expect(JSON.stringify(json)).not.toContain('root:');
  });

  it('compile the largest submission, which is quoted once more in its order', async () => {
    const comment = `// ${'"'.repeat(2.5 * 1024 * 1024 - 500)}`;
    const { status, json } = await compile(compilers, { content: `${comment}\ncontract A {}` });
    expect([status, json.contracts?.['a.sol'].A.evm.bytecode.object]).toEqual([
      200,
      expect.stringMatching(/^6080/),
    ]);
  });

  it('refuse what is not an order', async () => {
    const send = (path: string, init: RequestInit) => fetch(`${compilers.url}${path}`, init);
    expect((await send('/compile', { method: 'POST', body: '{"input":1}' })).status).toBe(400);
    expect((await send('/compile', {})).status).toBe(405);
    expect((await send('/', { method: 'POST' })).status).toBe(404);
  });
});

/** Each struct has the one before it three times, and the ABI repeats them all. */
const structs = (depth: number) =>
  Array.from({ length: depth }, (_, at) => {
    const before = at === 0 ? 'uint' : `S${at - 1}`;
    return `struct S${at} { ${before} a; ${before} b; ${before} c; }`;
  }).join('\n');

describe('the output of a compilation', () => {
  let compilers: RunningCompilers;
  beforeAll(async () => {
    compilers = await startCompilers();
  });
  afterAll(() => compilers.close());

  it('has no warnings, and of errors the first one', async () => {
    const warned = await compile(compilers, { content: 'contract A { function f() public { uint x; } }' });
    expect(Object.keys(warned.json)).toEqual(['contracts', 'sources']);
    const { json } = await compile(compilers, { content: 'contract A { uint x = true; uint y = true; }' });
    expect(json).toEqual({ errors: [expect.objectContaining({ severity: 'error' })] });
  });

  it('ends it when it is far larger than its sources', async () => {
    const content = `${structs(10)} interface A { function f(S9 calldata s) external; }`;
    const settings = { outputSelection: { '*': { '*': ['abi'] } } };
    const { status, json } = await compile(compilers, { content, settings });
    expect([status, json.message]).toEqual([
      400,
      expect.stringMatching(/more than 2097152 bytes, most.* ABI/),
    ]);
  });
});

let limited: RunningCompilers;
afterEach(() => limited?.close());

it('a compilation that takes too long is ended', async () => {
  limited = await startCompilers({ seconds: 5 });
  const settings = { viaIR: true, optimizer: { enabled: true } };
  const { status, json } = await compile(limited, { content: endless, settings });
  expect([status, json.message]).toEqual([400, expect.stringContaining('more than 5 s (compilers.seconds)')]);
});

it('a compilation that needs too much memory is ended with the name of the limit', async () => {
  limited = await startCompilers({ memoryMiB: 24 });
  const { status, json } = await compile(limited, { content: endless });
  expect([status, json.message]).toEqual([400, expect.stringContaining('compilers.memoryMiB')]);
  expect((await limited.metrics.scrape()).text).toContain('slipway_compilations_total{outcome="ended"} 1');
});

it('an account with too many compilations is refused, and another one waits for its turn', async () => {
  limited = await startCompilers();
  const content = 'contract A {}';
  const answers = await Promise.all(
    ['one', 'one', 'one', 'two'].map((workspace) => compile(limited, { content, workspace })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  expect(answers.at(-1)?.status).toBe(200);
});

it('the orders of one account do not take the memory for those of others', async () => {
  const compilers = await startCompilers({}, 1024 * 1024);
  const running = compile(compilers, { content: endless });
  const content = `contract A {} // ${'x'.repeat(300 * 1024)}`;
  expect((await compile(compilers, { content, workspace: 'two' })).status).toBe(200);
  await running;
  await compilers.close();
});
