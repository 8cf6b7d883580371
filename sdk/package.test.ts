import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { projectRoot } from '../hack/lib/paths.ts';
import { type LocalServer, startServer } from './testing/server.ts';

const maxKilobytes = 12;

/** The client as the package has it, but as a script. `neutral` has no module of Node: one would fail the build. */
const script = execFileSync(
  join(projectRoot, 'node_modules/.bin/esbuild'),
  [
    ...['sdk/src/entry.ts', '--bundle', '--platform=neutral', '--target=es2022', '--format=iife'],
    ...['--global-name=slipway', '--minify-whitespace', '--minify-syntax'],
  ],
  { cwd: projectRoot },
).toString();

const manifestOf = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));

it(`has at most ${maxKilobytes} KB when compressed`, () => {
  const bytes = gzipSync(script).byteLength;
  expect(bytes).toBeGreaterThan(1_000);
  expect(bytes).toBeLessThan(maxKilobytes * 1024);
});

it('depends on nothing, and has the version of the service', () => {
  const { version, dependencies, peerDependencies, sideEffects } = manifestOf('sdk/package.json');
  expect([dependencies, peerDependencies, sideEffects]).toEqual([undefined, undefined, false]);
  expect(version).toBe(manifestOf('package.json').version);
});

describe('where there is nothing but what browsers, Node, Deno and Bun have', () => {
  /** All that the client may use besides the language itself. */
  const web = {
    fetch,
    URL,
    URLSearchParams,
    AbortController,
    AbortSignal,
    TextDecoder,
    crypto,
    setTimeout,
    clearTimeout,
  };
  let server: LocalServer;
  afterEach(() => server.close());

  it('makes calls, reads pages, waits and streams', async () => {
    const network = { id: 'n', name: 'mine', status: { state: 'Operational' } };
    server = await startServer(({ path }, response) => {
      if (path.startsWith('/v1alpha/networks/')) return { body: network };
      if (!path.startsWith('/v1alpha/events')) return { body: { items: [network], metadata: {} } };
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write('data: {"type":"stream.ready"}\n\n');
      return undefined;
    });
    const context = createContext({ ...web, url: server.url });
    const seen = await runInContext(
      `${script}
      (async () => {
        const client = slipway.createClient({ url, apiKey: 'k.s' });
        const seen = [(await client.networks.wake('n')).id];
        for await (const { name } of client.networks.listAll()) seen.push(name);
        seen.push((await client.waitFor('n', 'Operational')).status.state);
        for await (const { type } of client.events.stream()) { seen.push(type); break; }
        return seen.join(' ');
      })()`,
      context,
    );
    expect(seen).toBe('n mine Operational stream.ready');
  });
});
