import { createTestCli, type TestCli } from '../testing/run.ts';
import { startServer, type TestServer } from '../testing/server.ts';
import { jsonText, printable, printableLines } from './terminal.ts';

/** Sets a colour and the title, clears the screen, and turns the direction of what follows around. */
const hostile = 'A\u001b[31mRED\u001b]0;x\u0007\u009b2J\u202e\u2066B\u2028C';

it('what a terminal would carry out is a space', () => {
  expect(printable(`${hostile}\n\t.`)).toBe('A [31mRED ]0;x 2J B C .');
  expect(printableLines(`${hostile}\n\t.\r\n`)).toBe('A [31mRED ]0;x 2J B C\n\t. \n');
});

it('JSON has it as escapes, from which programs read the same value', () => {
  const value = { [hostile]: [hostile, 'line\nline', '👩‍👩‍👧'] };
  for (const text of [jsonText(value), jsonText(value, 2)]) {
    expect(printableLines(text)).toBe(text);
    expect(JSON.parse(text)).toEqual(value);
  }
});

describe('a text of a contract or a service', () => {
  let server: TestServer;
  let cli: TestCli;
  const word = (value: number) => value.toString(16).padStart(64, '0');
  const bytes = Buffer.from(hostile).toString('hex');
  const result = `0x${word(32)}${word(bytes.length / 2)}${bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0')}`;
  const network = {
    id: 'n-1',
    name: 'a',
    metadata: {},
    spec: { chain: { type: 'Base' } },
    status: { state: 'Operational', message: hostile, endpoints: { [hostile]: hostile, rpc: hostile } },
  };
  beforeAll(async () => {
    server = await startServer(({ path }, response) => {
      const isText = /logs|text/.test(path);
      response.writeHead(200, { 'Content-Type': isText ? 'text/plain' : 'application/json' });
      const answers = [{ result }];
      const body = path.includes('/chain') ? { contracts: [], answers } : { items: [network], metadata: {} };
      response.end(isText ? hostile : JSON.stringify(body));
      return undefined;
    });
    cli = await createTestCli({ SLIPWAY_URL: server.url, SLIPWAY_API_KEY: 'id.secret' });
  });
  afterAll(async () => {
    server.close();
    await cli.close();
  });

  it.each([
    ['call', 'a', `0x${'11'.repeat(20)}`, 'name()(string)'],
    ['call', 'a', `0x${'11'.repeat(20)}`, 'name()(string)', '--json'],
    ['network', 'get', 'a'],
    ['network', 'get', 'a', '--json'],
    ['network', 'list', '--ndjson'],
    ['network', 'open', 'a'],
    ['network', 'open', 'a', '--service', 'x'],
    ['network', 'env', 'a', '--for', 'shell'],
    ['network', 'logs', 'a'],
    ['api', 'GET', '/v1alpha/networks'],
    ['api', 'GET', '/text'],
  ])('reaches no terminal as it is: slipway %s %s %s %s %s', async (...args) => {
    const { stdout, stderr } = await cli(args, { isTerminal: true });
    const text = stdout + stderr;
    expect(text).toMatch(/RED/);
    expect(printableLines(text)).toBe(text);
  });

  it('reaches a file as it is where a program wrote it', async () => {
    expect((await cli(['network', 'logs', 'a'])).stdout).toBe(`${hostile}\n`);
  });
});
