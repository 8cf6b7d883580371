import { WebSocketServer } from 'ws';
import { call, type Node, post, startNode, startWorld, type World } from '../testing/fixtures.ts';
import { openSocket } from '../testing/socketFixtures.ts';
import { createScrub, scrubMessage } from './scrub.ts';

const key = 'SECRET-KEY_123';
const url = `https://user:pw@mainnet.example:8443/v3/${key}?a=b&c=d`;
const error = `{"error":{"message":"error sending request for url (${url}): é, see \\"${url}\\""}}`;
const clean = `{"error":{"message":"error sending request for url ([fork source]): é, see \\"[fork source]\\""}}`;

async function streamed(text: string, chunkLength: number): Promise<string> {
  const scrub = createScrub();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkLength) scrub.write(bytes.subarray(at, at + chunkLength));
  scrub.end();
  return Buffer.concat(await scrub.toArray()).toString();
}

describe('scrubbing', () => {
  it.each([1, 2, 3, 7, 8, 9, 64, 10_000])('removes URLs from chunks of %d bytes', async (length) => {
    expect(await streamed(error, length)).toBe(clean);
  });

  it.each([
    ['plain HTTP', `"http://10.0.0.1:8545/${key}"`, '"[fork source]"'],
    ['a WebSocket', `wss://mainnet.example/${key} closed`, '[fork source] closed'],
    ['capitals', `"HTTPS://mainnet.example/${key}"`, '"[fork source]"'],
    ['an escaped quote', `\\"ws://a/${key}\\"`, '\\"[fork source]\\"'],
    ['the end', `http://a/${key}`, '[fork source]'],
    ['no URL', '{"result":"0x68747470733a2f2f"}', '{"result":"0x68747470733a2f2f"}'],
    ['an empty text', '', ''],
  ])('%s', async (_what, text, expected) => {
    expect(await streamed(text, 5)).toBe(expected);
    expect(scrubMessage(Buffer.from(text)).toString()).toBe(expected);
  });
});

describe('the gateway', () => {
  let node: Node;
  let world: World;
  beforeAll(async () => {
    node = await startNode((request, response) => {
      request.resume();
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(error) };
      request.on('end', () => response.writeHead(200, headers).end(error));
    });
    world = await startWorld(node);
  });
  afterAll(async () => {
    await world.close();
    await node.close();
  });

  it.each([
    ['rpc', call('eth_call')],
    ['admin', call('anvil_mine')],
  ])('does not reveal the fork source in an answer of the service "%s"', async (service, body) => {
    world.setNetwork({ isFork: true });
    expect((await post(world.url(service), body)).text).toBe(clean);
  });

  it('does not reveal it in a batch with refused calls', async () => {
    world.setNetwork({ isFork: true });
    const { text } = await post(world.url(), [call('eth_call'), call('anvil_reset')]);
    expect(text).toContain('[fork source]');
    expect(text).not.toContain(key);
  });

  it('does not reveal it over a WebSocket', async () => {
    const sockets = new WebSocketServer({ server: node.server });
    sockets.on('connection', (socket) => socket.on('message', () => socket.send(error)));
    world.setNetwork({ isFork: true });
    const client = await openSocket(world.url('ws'));
    expect(JSON.stringify(await client.ask(call('eth_call')))).toBe(JSON.stringify(JSON.parse(clean)));
    client.socket.close();
    await client.closed;
    sockets.close();
  });

  it('forwards the answers of other networks unchanged', async () => {
    world.setNetwork({ isFork: false });
    expect((await post(world.url(), call('eth_call'))).text).toBe(error);
  });
});
