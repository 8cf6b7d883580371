import { createTestCli, type TestCli } from '../testing/run.ts';
import { type Answering, startServer, type TestServer } from '../testing/server.ts';
import { createSkip, linesAfter } from './logs.ts';

describe('what a stream that was taken up again has not printed yet', () => {
  it.each([
    ['it goes on where it ended', ['a', 'b', 'c', 'd'], ['a', 'b'], ['c', 'd']],
    ['nothing is new', ['a', 'b'], ['a', 'b'], []],
    ['repeated lines end at the last place', ['x', 'x', 'x', 'y'], ['x', 'x'], ['y']],
    ['another process writes: everything is new', ['p', 'q'], ['a', 'b'], ['p', 'q']],
    ['nothing was printed', ['a'], [], ['a']],
  ])('%s', (_what, lines, printed, expected) => {
    expect(linesAfter(lines, printed)).toEqual(expected);
  });

  it('the beginning of the next stream is left out up to the last printed line', () => {
    const skip = createSkip(['b', 'c'], 3);
    expect(['a', 'b', 'c', 'd', 'e'].flatMap(skip)).toEqual(['d', 'e']);
  });

  it('a stream that never comes to that line is printed whole', () => {
    const skip = createSkip(['z'], 0);
    const lines = Array.from({ length: 60 }, (_value, index) => `${index}`);
    expect(lines.flatMap(skip)).toEqual(lines);
  });
});

describe('logs', () => {
  let server: TestServer;
  let cli: TestCli;
  const network = {
    id: '3f0c9d7e-6a51-4f6e-9b7c-0d2a8b1c4e5f',
    name: 'a',
    metadata: {},
    spec: { chain: { type: 'Base' } },
  };
  const stopped = {
    status: 409,
    body: { reason: 'Conflict', message: 'network "a" is Stopped', requestId: 'r' },
  };

  /** Answers each log request with the next of `texts`: broken off, or refused. */
  async function use(...texts: (string | typeof stopped)[]): Promise<void> {
    const answer: Answering = ({ path }, response) => {
      if (!path.includes('/logs')) return { status: 200, body: { items: [network], metadata: {} } };
      const text = texts.shift() ?? stopped;
      if (typeof text !== 'string') return text;
      response.writeHead(200, { 'Content-Type': 'text/plain' });
      response.write(text, () =>
        setImmediate(() => (path.includes('follow') ? response.destroy() : response.end())),
      );
      return undefined;
    };
    server = await startServer(answer);
    cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  }
  afterEach(async () => {
    server.close();
    await cli.close();
  });

  it('without --follow prints the last lines, of the part that is asked for', async () => {
    await use('one\ntwo');
    expect((await cli(['network', 'logs', 'a', '--tail', '2', '--service', 'el-1'])).stdout).toBe(
      'one\ntwo\n',
    );
    expect(server.asked[1]?.path).toMatch(/\/logs\?service=el-1&tail=2$/);
  });

  it('a stream that breaks is taken up where it ended, and ends when the network no longer runs', async () => {
    await use('one\ntwo\n', 'one\ntwo\nthree\n', 'one\ntwo\nthree\nfour\n', stopped);
    const { code, stdout, stderr } = await cli(['network', 'logs', 'a', '--follow']);
    expect([code, stdout, stderr]).toEqual([
      0,
      'one\ntwo\nthree\nfour\n',
      'The network is no longer running.\n',
    ]);
  });

  it('a network that does not run at the beginning is a failure', async () => {
    await use(stopped);
    expect(await cli(['network', 'logs', 'a', '-f'])).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('Error: network "a" is Stopped\n'),
    });
  });
});
