import { startTraced, type Traced } from '../../../core/tracing/testing/traced.ts';
import {
  call,
  type Node,
  post,
  publicKey,
  startNode,
  startWorld,
  testId,
  type World,
} from '../testing/fixtures.ts';

let traced: Traced;
let node: Node;
let world: World;
beforeEach(async () => {
  traced = await startTraced();
  node = await startNode(
    (_request, response) => void response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}'),
  );
  world = await startWorld(node, { tracer: traced.tracer });
});
afterEach(async () => {
  await world.close();
  await node.close();
  await traced.stop();
});

it('a call is a span, and what is forwarded is another with the method and the network', async () => {
  await post(world.url(), call('eth_getBalance', ['0x00000000000000000000000000000000000000aa', 'latest']));
  await traced.close();
  const [forward, gateway] = traced.collector.spans();
  expect(gateway).toMatchObject({
    name: 'gateway',
    kind: 2,
    parentSpanId: undefined,
    attributes: {
      'slipway.network': testId,
      'slipway.service': 'rpc',
      'slipway.outcome': 'ok',
      'http.response.status_code': 200,
    },
  });
  expect(forward).toMatchObject({
    name: 'forward eth_getBalance',
    kind: 3,
    parentSpanId: gateway?.spanId,
    attributes: { 'rpc.method': 'eth_getBalance', 'slipway.count': 1 },
  });
});

it('neither access keys nor parameters nor refused methods are in a trace', async () => {
  await post(world.url(), call('eth_call', ['hidden-parameter']));
  await post(world.url(), call('admin_hiddenMethod'));
  await post(`${world.origin}/rpc/${testId}/hidden-key-hidden-key-24/rpc`, call('eth_chainId'));
  await traced.close();
  const text = traced.collector
    .requests()
    .map((request) => request.text)
    .join();
  expect(traced.collector.spans().map(({ attributes }) => attributes['slipway.outcome'])).toEqual(
    expect.arrayContaining(['ok', 'refused', 'notFound']),
  );
  expect(text).not.toMatch(/hidden/);
  expect(text).not.toContain(publicKey);
});

it('a node that fails marks both spans', async () => {
  world.setUpstream({ host: '127.0.0.1', port: 1 });
  await post(world.url(), call('eth_sendRawTransaction', ['0x']));
  await traced.close();
  const failed = traced.collector.spans().filter(({ isError }) => isError);
  expect(failed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['forward eth_sendRawTransaction', 'gateway']),
  );
});
