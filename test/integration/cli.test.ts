import { useCli } from './testing/cliScene.ts';

/** The command line against the real API server in this process, over a fake Kube: what needs no chain. */

const { cli } = useCli();

it('a network is created with a new key, listed, shown, changed and deleted', async () => {
  const created = await cli(['network', 'create', 'a', '--new-key', '--label', 'team=x', '--json']);
  expect([created.code, created.stderr]).toEqual([0, expect.stringContaining('Created secret "a-key"')]);
  expect(created.json).toMatchObject({ name: 'a', metadata: { labels: { team: 'x' } } });
  const listed = await cli(['network', 'list', '-l', 'team=x']);
  expect(listed.stdout).toMatch(/^NAME +TYPE +STATE +CHAIN ID +AGE +ID\na +Ethereum +Pending/);
  expect((await cli(['network', 'list', '--selector', 'metadata.name == b', '--json'])).json).toEqual({
    items: [],
  });
  const id = created.json.id;
  expect((await cli(['network', 'get', id])).stdout).toContain('Name:     a\n');
  const changed = await cli(['network', 'update', 'a', '--idle-after', '30m', '--json']);
  expect(changed.json.spec).toMatchObject({ idleAfter: '30m', chain: { type: 'Ethereum' } });
  expect((await cli(['network', 'delete', 'a', '-q'])).code).toBe(0);
  const gone = await cli(['network', 'get', 'a']);
  expect([gone.code, gone.stderr]).toEqual([
    4,
    'Error: There is no network "a" in this workspace.\nSee: slipway network list\n',
  ]);
});

it('the accounts of a network and their keys are there for scripts, and its pages have addresses', async () => {
  await cli(['network', 'create', 'a', '--new-key', '--dev-accounts']);
  const listed = await cli(['network', 'accounts', 'a']);
  expect(listed.stdout).toMatch(/ADDRESS +BALANCE +FROM\n0x[0-9a-fA-F]{40} +- +secret a-key\n/);
  expect(listed.stdout).toContain('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266   -         test … junk #0');
  const { json } = await cli(['network', 'accounts', 'a', '--keys', '--json']);
  const [{ privateKey }] = json.items;
  expect(await cli(['secret', 'get', 'a-key', '--hex'])).toMatchObject({ stdout: `${privateKey}\n` });
  expect((await cli(['network', 'get', 'a'])).stdout).toContain('all 11: slipway network accounts a');
  const page = await cli(['network', 'open', 'a', '--explorer']);
  expect(page.stdout).toMatch(/^http:.*\/networks\/[0-9a-f-]{36}\/explorer\n$/);
});

it('a network that is called like the id of another one does not take its place', async () => {
  const { json } = await cli(['network', 'create', 'a', '--new-key', '--json']);
  const other = await cli(['network', 'create', json.id, '--key', 'a-key', '--json']);
  expect((await cli(['network', 'get', json.id, '--json'])).json.name).toBe('a');
  expect((await cli(['network', 'get', other.json.id, '--json'])).json.name).toBe(json.id);
});
