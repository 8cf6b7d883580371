import { AbiCoder, id as hashOf } from 'ethers';
import { maxForeignText } from '../../core/lib/text/foreignText.ts';
import { maxLineLength } from '../../core/lib/text/lines.ts';
import { watchHealth } from '../lib/healthWatch.ts';
import { createHotKey, createNetwork, endpointsOf, reach, remove } from '../lib/networks.ts';
import { openReplicas, type ReplicaAccess } from '../lib/replicas.ts';
import { call, until } from '../lib/service.ts';

/**
 * Texts of tenants, nodes and compilers that once kept a replica busy for seconds or minutes. Beside each of them, every replica
 * answers everybody else.
 */

/** What anybody may have to wait for, on a machine that does nothing else: as long as this, or as several calm delays. */
const leastLimitMs = 500;
const calmDelays = 5;
const calmMs = 2_000;
const compilerVersion = '0.8.28+commit.7893614a';

/** Returns what it is called with as the data of a revert. */
const reverting = `0x${'00'.repeat(19)}e1`;
/** Passes what it is called with to the address that engines print the calls of. */
const printing = `0x${'00'.repeat(19)}e2`;
const codes = {
  [reverting]: '0x366000600037366000fd',
  [printing]: '0x3660006000376000600036600073000000000000000000636f6e736f6c652e6c6f675afa00',
};

/** Looks like the beginning of a URL at every letter. */
const textOf = (length: number) => `://${'a.'.repeat(length / 2)}`;
const coded = (text: string) => AbiCoder.defaultAbiCoder().encode(['string'], [text]).slice(2);
const lengths = [40_000, 400_000];

let replicas: ReplicaAccess[];
let limitMs: number;
let id: string;
let chainId: string;
let urls: Record<string, string>;
beforeAll(async () => {
  const key = await createHotKey();
  const [{ body }, opened] = await Promise.all([
    createNetwork({ privateKeyRef: { name: key.name } }),
    openReplicas(),
  ]);
  id = body.id;
  replicas = opened;
  chainId = (await reach(id, 'Operational')).status.chainID;
  urls = await endpointsOf(id);
  for (const [address, code] of Object.entries(codes)) await rpc('admin', 'anvil_setCode', [address, code]);
  const calm = await watchHealth(replicas);
  await new Promise((resolve) => setTimeout(resolve, calmMs));
  limitMs = Math.max(leastLimitMs, calmDelays * Math.max(...Object.values(await calm.end())));
});
afterAll(async () => {
  for (const { close } of replicas) close();
  await remove(id);
});

async function rpc(service: 'rpc' | 'admin', method: string, params: unknown[]) {
  const answer = await fetch(urls[service] ?? '', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as { result?: unknown; error?: { message: string } };
}

/** What an attack answers. Fails if a replica did not answer others in time meanwhile. */
async function besideOthers<T>(attack: () => Promise<T>): Promise<T> {
  const watch = await watchHealth(replicas);
  try {
    return await attack();
  } finally {
    const slow = Object.entries(await watch.end()).filter(([, longestMs]) => longestMs >= limitMs);
    expect(slow).toEqual([]);
  }
}

interface Verification {
  isJobCompleted: boolean;
  error?: { customCode: string; message: string };
}

/** What the endpoint of the network says about sources, as Foundry and Hardhat ask it. */
async function verify(content: string): Promise<Verification> {
  const stdJsonInput = { language: 'Solidity', sources: { 'A.sol': { content } }, settings: {} };
  const begun = await fetch(`${urls.verify}/v2/verify/${chainId}/${reverting}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ stdJsonInput, compilerVersion, contractIdentifier: 'A.sol:A' }),
  });
  const { verificationId } = (await begun.json()) as { verificationId: string };
  expect(begun.status).toBe(202);
  const ask = async () =>
    (await fetch(`${urls.verify}/v2/verify/${verificationId}`)).json() as Promise<Verification>;
  return until('the verification to end', ask, ({ isJobCompleted }) => isJobCompleted);
}

describe('whoever has the public URL of a network', () => {
  it.each(lengths)('sends sources whose compiler error quotes %i characters', async (length) => {
    const { error } = await besideOthers(() => verify(`import "${textOf(length)}"; contract A {}`));
    expect(error?.customCode).toBe('compiler_error');
    expect(error?.message.length).toBeLessThanOrEqual(maxForeignText);
  });

  it('sends sources of a contract with thousands of immutables', async () => {
    const uses = 'sum += a;'.repeat(5_000);
    const source = `contract A { uint immutable a = block.number; function f() public view returns (uint sum) { ${uses} } }`;
    const { error } = await besideOthers(() => verify(source));
    expect(error?.customCode).toBe('no_match');
  });

  it.each(lengths)('makes a contract print %i characters, and a member reads the logs', async (length) => {
    const data = `${hashOf('log(string)').slice(0, 10)}${coded(textOf(length))}`;
    await rpc('rpc', 'eth_call', [{ to: printing, data }, 'latest']);
    const read = () => call('GET', `/v1alpha/networks/${id}/logs`);
    const isCut = ({ body }: Awaited<ReturnType<typeof read>>) =>
      linesIn(body).some((line) => missingIn(line) > length - maxLineLength);
    const { body } = await besideOthers(() => until('the line in the log', read, isCut));
    for (const line of linesIn(body)) expect(line.length).toBeLessThan(maxLineLength + 100);
  });
});

const linesIn = (text: unknown) => String(text).split('\n');
/** How many characters of a line were cut. */
const missingIn = (line: string) => Number(/… \((\d+) more characters\)$/.exec(line)?.[1] ?? 0);

it.each(lengths)('a viewer calls a contract that reverts with %i characters', async (length) => {
  const data = `0x08c379a0${coded(textOf(length))}`;
  const reads = [{ method: 'eth_call', params: [{ to: reverting, data }, 'latest'] }];
  const { status, body } = await besideOthers(() =>
    call('POST', `/v1alpha/networks/${id}/chain`, { body: { reads } }),
  );
  expect(status).toBe(200);
  expect(body.answers[0].error.message).toMatch(/^execution reverted: /);
  expect(body.answers[0].error.message.length).toBeLessThanOrEqual(maxForeignText);
});

describe('anybody', () => {
  /** A number of a million digits. */
  const long = `{"a":1.${'0'.repeat(1_000_000)}1}`;

  it('signs in with a number of a million digits', async () => {
    const answer = await besideOthers(() =>
      call('POST', '/workspace/v1alpha1/sign-in/password', { text: long, isAnonymous: true }),
    );
    expect(answer.status).toBe(400);
  });

  it('signs in with 150,000 numbers, of which one is long', async () => {
    const text = `[12345678901234567890${',0'.repeat(150_000)}]`;
    const answer = await besideOthers(() =>
      call('POST', '/workspace/v1alpha1/sign-in/password', { text, isAnonymous: true }),
    );
    expect(answer.status).toBe(400);
  });

  it('sends a number of a million digits to the endpoint that verifies contracts', async () => {
    const answer = await besideOthers(() =>
      fetch(`${urls.verify}/v2/verify/${chainId}/${reverting}`, { method: 'POST', body: long }),
    );
    expect(answer.status).toBe(400);
  });

  it('accepts encodings that thousands of blanks are between', async () => {
    const headers = { Accept: 'text/html', 'Accept-Encoding': `gzip${' '.repeat(7_000)}x` };
    const ask = ({ url }: ReplicaAccess) =>
      Promise.all(Array.from({ length: 25 }, () => fetch(`${url}/networks`, { headers })));
    const answers = (await besideOthers(() => Promise.all(replicas.map(ask)))).flat();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});
