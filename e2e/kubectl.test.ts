import { randomBytes } from 'node:crypto';
import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { getJson, kubectl } from './lib/cluster.ts';
import { freshName, until } from './lib/service.ts';

function manifest(name: string, chain: string, type = 'Ethereum'): string {
  return `apiVersion: slipway.dev/v1alpha1\nkind: Network\nmetadata: {name: ${name}}\nspec:\n  chain:\n    type: ${type}\n    ${chain}\n`;
}

describe('a network created with kubectl', () => {
  const name = freshName('kubectl');
  const wallet = new Wallet(`0x${randomBytes(32).toString('hex')}`);
  const data = Buffer.from(wallet.privateKey.slice(2), 'hex').toString('base64');
  const secret = `apiVersion: slipway.dev/v1alpha1\nkind: Secret\nmetadata: {name: ${name}}\nspec: {type: private-key, data: ${data}}\n`;
  const network = manifest(
    name,
    `ethereum: {chainID: "${700_000 + randomBytes(3).readUIntBE(0, 3)}", privateKeyRef: {name: ${name}}}`,
  );

  it('is created with its secret in one apply', async () => {
    const { code, stderr } = await kubectl(['apply', '--filename', '-'], `${network}---\n${secret}`);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('leaves no plain text of the secret in the cluster', async () => {
    const stored = await kubectl(['get', 'bsec', name, '--output', 'yaml', '--show-managed-fields']);
    expect(stored.stdout).toContain('slipway:v2:');
    expect(stored.stdout).not.toContain(data);
  });

  it('does not change when the same secret is applied again', async () => {
    const before = await getJson('bsec', name);
    await kubectl(['apply', '--filename', '-'], secret);
    const after = await getJson('bsec', name);
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.generation).toBe(before.metadata.generation);
  });

  it('can be awaited by its condition', async () => {
    const { code, stderr } = await kubectl([
      'wait',
      '--for=condition=Ready',
      '--timeout=60s',
      `bnet/${name}`,
    ]);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('is listed with type, state and chain id', async () => {
    const { stdout } = await kubectl(['get', 'bnet', name]);
    expect(stdout).toMatch(/NAME\s+TYPE\s+STATE\s+REASON\s+CHAIN-ID/);
    expect(stdout).toMatch(new RegExp(`${name}\\s+Ethereum\\s+Operational\\s+\\d+`));
  });

  it('is described with an Event for each step', async () => {
    const { stdout } = await until(
      'the events',
      () => kubectl(['describe', 'bnet', name]),
      (output) => output.stdout.includes('Operational: running'),
    );
    expect(stdout).toMatch(/Normal\s+Step .*of 4: resolve keys and sources/);
    // The last step has an Event of its own if the engine did not answer at once.
    expect(stdout).toMatch(/Normal\s+(Step|Operational) .*4 of 4: .*wait for the first answer/);
  });

  it('responds at the URL in its status', async () => {
    const { status } = await getJson('bnet', name);
    const provider = new JsonRpcProvider(status.endpoints.rpc);
    expect(await provider.getBalance(wallet.address)).toBe(parseEther('1000000'));
    provider.destroy();
  });

  it('recovers when its pod is deleted manually', async () => {
    const { metadata } = await getJson('bnet', name);
    const selector = `slipway.dev/network=${metadata.uid}`;
    const [previous] = (await getJson('pods', '--selector', selector)).items;
    await kubectl(['delete', 'pod', previous.metadata.name, '--wait=true']);
    await until(
      'a new pod',
      () => getJson('pods', '--selector', selector),
      ({ items }) => items.length === 1 && items[0].metadata.uid !== previous.metadata.uid,
    );
    const { code } = await kubectl(['wait', '--for=condition=Ready', '--timeout=60s', `bnet/${name}`]);
    expect(code).toBe(0);
  });

  it('leaves nothing behind when it is deleted', async () => {
    const { metadata } = await getJson('bnet', name);
    await kubectl(['delete', 'bnet', name, '--wait=true']);
    const selector = `slipway.dev/network=${metadata.uid}`;
    const { items } = await until(
      'its children to be deleted',
      () => getJson('pods,services,configmaps,persistentvolumeclaims', '--selector', selector),
      (list) => list.items.length === 0,
    );
    expect(items).toEqual([]);
    await kubectl(['delete', 'bsec', name]);
  });
});

it('kubectl apply warns that a changed chain id ends the running chain', async () => {
  const name = freshName('warned');
  const chainIds = [0, 1].map((offset) => String(6_000_000_000 + (Date.now() % 100_000_000) * 2 + offset));
  const apply = (chainId: string | undefined) =>
    kubectl(['apply', '--filename', '-'], manifest(name, `base: {chainID: "${chainId}"}`, 'Base'));
  expect((await apply(chainIds[0])).code).toBe(0);
  const ask = () => getJson('bnet', name);
  await until('Operational', ask, ({ status }) => status?.state === 'Operational');
  const { code, stderr } = await apply(chainIds[1]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Warning: spec\.chain\.base\.chainID starts a new chain/m);
  await until('the new chain', ask, ({ status }) => status?.chainID === chainIds[1]);
  await kubectl(['delete', 'bnet', name]);
});

describe('kubectl apply rejects an invalid object with the path of the error', () => {
  const cases: [string, string, RegExp][] = [
    ['no member for the type', manifest('bad', 'ethereum: null'), /spec\.chain/],
    ['two chain specs', manifest('bad', 'ethereum: {privateKeyRef: {name: a}}\n    base: {}'), /spec\.chain/],
    [
      'an unknown type',
      manifest('bad', 'ethereum: {privateKeyRef: {name: a}}', 'Bitcoin'),
      /spec\.chain\.type/,
    ],
    [
      'an unknown field',
      manifest('bad', 'ethereum: {privateKeyRef: {name: a}, speed: 3}'),
      /ethereum\.speed/,
    ],
    ['a number as chain id', manifest('bad', 'ethereum: {privateKeyRef: {name: a}, chainID: 5}'), /chainID/],
    ['a missing key reference', manifest('bad', 'ethereum: {}'), /privateKeyRef/],
    [
      'a block time of zero',
      manifest('bad', 'ethereum: {privateKeyRef: {name: a}, blockTime: 0}'),
      /blockTime/,
    ],
  ];
  it.each(cases)('%s', async (_reason, yaml, path) => {
    const { code, stderr } = await kubectl(['apply', '--filename', '-'], yaml);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(path);
  });

  it('a change of the chain type', async () => {
    const name = freshName('type');
    const key = 'privateKeyRef: {name: none}';
    await kubectl(['apply', '--filename', '-'], manifest(name, `ethereum: {${key}}`));
    const { code, stderr } = await kubectl(['apply', '--filename', '-'], manifest(name, 'base: {}', 'Base'));
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/type/);
    await kubectl(['delete', 'bnet', name]);
  });

  it('a secret whose data is not base64', async () => {
    const yaml =
      'apiVersion: slipway.dev/v1alpha1\nkind: Secret\nmetadata: {name: bad}\nspec: {type: note, data: "!!"}\n';
    const { code, stderr } = await kubectl(['apply', '--filename', '-'], yaml);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/spec\.data/);
  });
});
