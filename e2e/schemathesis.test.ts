import { jest } from '@jest/globals';
import { lastLines } from '../hack/lib/format.ts';
import type { RunResult } from '../hack/lib/run.ts';
import { ask, dismiss, join, makeWorkspace, type Person, right } from './lib/accounts.ts';
import { ensureSchemathesis, walkOperations } from './lib/schemathesis.ts';
import { token as administrator, call, freshName, serviceUrl, until } from './lib/service.ts';

const walkLimitMs = 120_000;
jest.setTimeout(480_000);

/** Owns the workspace and clears up; out of the walker's reach. */
let steward: Person;
let walker: Person;
let workspace: string;

beforeAll(async () => {
  steward = await join(administrator, 'default', 'developer');
  workspace = await makeWorkspace(steward.token, freshName('walk'));
  walker = await join(steward.token, workspace, 'admin');
});

afterAll(async () => {
  await clear(steward, workspace);
  await right(ask(steward.token, 'DELETE', `/workspaces/${workspace}`));
  await dismiss(administrator, 'default', steward);
});

/** Deletes the networks of a workspace. */
async function clear(by: Person, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${by.token}`, 'X-Workspace-ID': id };
  const networks = () => right(call('GET', '/v1alpha/networks?limit=500', { isAnonymous: true, headers }));
  for (const network of (await networks()).items) {
    await call('DELETE', `/v1alpha/networks/${network.id}`, { isAnonymous: true, headers });
  }
  await until('the end of the networks', networks, ({ items }) => items.length === 0);
}

/** Deletes the workspaces that the walker made. */
async function clearMade(): Promise<void> {
  const { items } = await right(ask(walker.token, 'GET', '/workspaces?limit=500'));
  const kept = [workspace, walker.personal];
  await clear(walker, walker.personal);
  for (const { id } of items.filter((item: { id: string }) => !kept.includes(item.id))) {
    await clear(walker, id);
    await right(ask(walker.token, 'DELETE', `/workspaces/${id}`));
  }
}

/** By these the walker, who sends back ids that it was shown, could end its own access: they come last. */
const endOwnAccess = ['deleteApiKey', 'deleteMembership', 'replaceMembership', 'deleteWorkspace'];

it('made-up requests to every operation find no 5xx and no answer that is not documented', async () => {
  const program = await ensureSchemathesis();
  const walk = { url: serviceUrl, token: walker.token, limitMs: walkLimitMs };
  const first = await walkOperations(program, { ...walk, exclude: endOwnAccess });
  expectClean(first);
  // Else the last of it were answered 401, and had shown nothing.
  expect((await ask(walker.token, 'GET', '/me')).status).toBe(200);
  await clearMade();
  expectClean(await walkOperations(program, { ...walk, include: endOwnAccess }));
});

function expectClean({ code, output }: RunResult): void {
  if (code !== 0) throw new Error(`schemathesis ended with ${code}:\n${output.slice(-15_000)}`);
  console.log(lastLines(output, 6));
}
