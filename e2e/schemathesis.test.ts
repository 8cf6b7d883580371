import { lastLines } from '../hack/lib/format.ts';
import type { RunResult } from '../hack/lib/run.ts';
import { addMember, ask, createWorkspace, type Person, removeMember, successBody } from './lib/accounts.ts';
import { ensureSchemathesis, walkOperations } from './lib/schemathesis.ts';
import { token as administrator, call, freshName, serviceUrl, until } from './lib/service.ts';

/** Ten thousand requests, at most 95 in a second. Only a walk that hangs is to end by it. */
const walkLimitMs = 900_000;
/** Owns the workspace and cleans up; the walker cannot affect this account. */
let owner: Person;
let walker: Person;
let workspace: string;

beforeAll(async () => {
  owner = await addMember(administrator, 'default', 'developer');
  workspace = await createWorkspace(owner.token, freshName('walk'));
  walker = await addMember(owner.token, workspace, 'admin');
});

afterAll(async () => {
  await clear(owner, workspace);
  await successBody(ask(owner.token, 'DELETE', `/workspaces/${workspace}`));
  await removeMember(administrator, 'default', owner);
});

/** Deletes the networks of a workspace. */
async function clear(by: Person, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${by.token}`, 'X-Workspace-ID': id };
  const networks = () =>
    successBody(call('GET', '/v1alpha/networks?limit=500', { isAnonymous: true, headers }));
  for (const network of (await networks()).items) {
    await call('DELETE', `/v1alpha/networks/${network.id}`, { isAnonymous: true, headers });
  }
  await until('the networks to be deleted', networks, ({ items }) => items.length === 0);
}

/** Deletes the workspaces that the walker created. */
async function clearCreated(): Promise<void> {
  const { items } = await successBody(ask(walker.token, 'GET', '/workspaces?limit=500'));
  const kept = [workspace, walker.personal];
  await clear(walker, walker.personal);
  for (const { id } of items.filter((item: { id: string }) => !kept.includes(item.id))) {
    await clear(walker, id);
    await successBody(ask(walker.token, 'DELETE', `/workspaces/${id}`));
  }
}

/** The walker reuses ids from responses, so it could end its own access with these operations; they are tested last. */
const endOwnAccess = ['deleteApiKey', 'deleteMembership', 'replaceMembership', 'deleteWorkspace'];

it('generated requests to every operation get no 5xx and no undocumented response', async () => {
  const program = await ensureSchemathesis();
  const walk = { url: serviceUrl, token: walker.token, limitMs: walkLimitMs };
  const first = await walkOperations(program, { ...walk, exclude: endOwnAccess });
  expectClean(first);
  // Otherwise the last requests would have got 401 and proved nothing.
  expect((await ask(walker.token, 'GET', '/me')).status).toBe(200);
  await clearCreated();
  expectClean(await walkOperations(program, { ...walk, include: endOwnAccess }));
});

function expectClean({ code, output }: RunResult): void {
  if (code !== 0) throw new Error(`schemathesis exited with code ${code}:\n${output.slice(-15_000)}`);
  console.log(lastLines(output, 6));
}
