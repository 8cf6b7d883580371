import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startTestApi, type TestApi } from '../../../apiserver/testing/harness.ts';
import { createTestCli, type TestCli } from '../../../cli/testing/run.ts';
import { startServer } from '../../../cli/testing/server.ts';
import { createFakeKube } from '../../../core/kube/testing/fake/fake.ts';

describe('on the real API server in this process', () => {
  let api: TestApi;
  let cli: TestCli;
  beforeEach(async () => {
    api = await startTestApi({ kube: createFakeKube(), users: [], hasDefaults: true });
    cli = await createTestCli({ SLIPWAY_URL: api.url, SLIPWAY_API_KEY: 'bootstrap.secret-of-bootstrap' });
  });
  afterEach(async () => {
    await cli.close();
    await api.close();
  });

  test('console prints a link that signs in, or opens it', async () => {
    const { code, stdout } = await cli(['console']);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/slipway\.example\/sign-in#l[0-9a-f]{24}\.[\w-]{43}\n$/),
    ]);
    const token = new URL(stdout.trim()).hash.slice(1);
    const path = '/workspace/v1alpha1/sign-in/link';
    expect((await api.request(path, { body: { token }, as: null })).json.userID).toBe('admin');
    expect((await cli(['console', '--browser'])).stdout).toBe('');
    expect(cli.opened).toEqual([expect.stringContaining('https://slipway.example/sign-in#l')]);
  });

  test('"slipway console --quiet" prints the link, and nothing else', async () => {
    expect(await cli(['console', '--quiet'])).toEqual(
      expect.objectContaining({ code: 0, stdout: expect.stringMatching(/^https:[^\n]+\n$/), stderr: '' }),
    );
  });
});

it('where no program opens pages, the message says what to do', async () => {
  const server = await startServer(() => ({ status: 201, body: { url: 'https://a.example/link' } }));
  const env = { SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret', PATH: '/none' };
  const run = promisify(execFile)(process.execPath, ['cli/main.ts', 'console', '--browser'], { env });
  const { code, stderr } = await run.catch((error) => error);
  server.close();
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^Error: No browser can be opened here: .+\nLeave out --browser/),
  ]);
});
