import { openPlace } from './testing/objects.ts';
import { isValid, startReceiver } from './testing/receiver.ts';
import { useDeliveries } from './testing/scene.ts';

const scene = useDeliveries();
const { kube, active } = scene;
const typesOf = (from = scene.receiver.received) => from.map(({ event }) => event.type);

describe('a delivery', () => {
  it('has the event with its object, signed, with headers of Standard Webhooks, and is logged', async () => {
    const { secret, metadata } = await scene.place.webhook('ci', { url: `${scene.receiver.url}/hook` });
    await active('ci');
    await scene.place.network('net', { team: 'a' });
    await scene.operator.until(() => scene.receiver.received.length === 1);
    const [arrived] = scene.receiver.received;
    expect(arrived).toMatchObject({
      path: '/hook',
      event: { type: 'network.created', workspace: scene.place.namespace },
    });
    expect(arrived?.event.object).toMatchObject({
      kind: 'Network',
      name: 'net',
      metadata: { labels: { team: 'a' } },
    });
    expect(arrived?.id).toBe(arrived?.event.id);
    expect(arrived && isValid(arrived, secret)).toBe(true);
    const isLogged = async () => (await scene.place.deliveries(metadata.uid))[0]?.state === 'delivered';
    await scene.operator.until(isLogged);
    expect(await scene.place.deliveries(metadata.uid)).toMatchObject([
      { attempts: 1, log: [{ status: 204 }], eventID: arrived?.id },
    ]);
  });

  it('has no URL of the network, which would contain an access key', async () => {
    await scene.place.webhook('ci', { url: scene.receiver.url, types: ['network.operational'] });
    await active('ci');
    await scene.place.network('net');
    await kube.patch(
      (await import('../../../core/api/resources/resources.ts')).networkType,
      { namespace: scene.place.namespace, name: 'net' },
      { status: { state: 'Operational', endpoints: { rpc: 'http://x/rpc/id/the-access-key/rpc' } } },
      'status',
    );
    await scene.operator.until(() => scene.receiver.received.length === 1);
    expect(scene.receiver.received[0]?.body).not.toContain('the-access-key');
  });

  it('is only made for the types and labels that the webhook wants', async () => {
    await scene.place.webhook('ci', {
      url: scene.receiver.url,
      types: ['network.stopped'],
      selector: { matchLabels: { team: 'a' } },
    });
    await active('ci');
    await scene.place.network('mine', { team: 'a' });
    await scene.place.network('other', { team: 'b' });
    for (const name of ['other', 'mine']) await scene.place.setState(name, 'Stopped');
    await scene.operator.until(() => scene.receiver.received.length > 0);
    expect(scene.receiver.received.map(({ event }) => [event.type, event.object.name])).toEqual([
      ['network.stopped', 'mine'],
    ]);
  });

  it('is not made for another workspace', async () => {
    const elsewhere = await openPlace(kube);
    await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await elsewhere.network('theirs');
    await scene.place.network('mine');
    await scene.operator.until(() => scene.receiver.received.length > 0);
    expect(scene.receiver.received.map(({ event }) => event.object.name)).toEqual(['mine']);
  });
});

describe('a receiver', () => {
  it('that is down for ten minutes gets everything afterwards: same ids, valid signatures, in order', async () => {
    const { secret } = await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    scene.receiver.react(500);
    await scene.place.network('net');
    await scene.operator.until(() => scene.receiver.arrived.length > 0);
    const firstId = scene.receiver.arrived[0]?.id;
    await scene.receiver.goDown();
    for (const state of ['Operational', 'Stopping', 'Stopped', 'Pending', 'Operational'] as const) {
      await scene.place.setState('net', state);
      await scene.operator.pass(120_000);
    }
    scene.receiver.react(204);
    await scene.receiver.comeUp();
    const backMs = scene.operator.clock.nowMs();
    await scene.operator.until(() => scene.receiver.received.length === 6, 1_000);
    expect(typesOf()).toEqual(
      ['created', 'operational', 'stopping', 'stopped', 'pending', 'operational'].map(
        (name) => `network.${name}`,
      ),
    );
    expect(scene.receiver.received[0]?.id).toBe(firstId);
    expect(new Set(scene.receiver.received.map(({ id }) => id)).size).toBe(6);
    expect(scene.receiver.received.every((arrived) => isValid(arrived, secret))).toBe(true);
    const isFresh = scene.receiver.received.every(({ timestamp }) => timestamp * 1000 >= backMs - 1_000);
    expect(isFresh).toBe(true);
  });

  it('that fails for one object gets the events of others meanwhile, and those of that one in order', async () => {
    scene.receiver.react(({ event }, response) =>
      response.writeHead(event.object.name === 'bad' ? 500 : 204).end(),
    );
    await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('bad');
    await scene.operator.until(() => scene.receiver.arrived.length > 0);
    await scene.place.setState('bad', 'Operational');
    await scene.place.network('good');
    await scene.place.setState('good', 'Operational');
    await scene.operator.until(() => scene.receiver.received.length === 2);
    expect(scene.receiver.received.map(({ event }) => event.object.name)).toEqual(['good', 'good']);
    expect(
      new Set(
        scene.receiver.arrived
          .filter(({ event }) => event.object.name === 'bad')
          .map(({ event }) => event.type),
      ),
    ).toEqual(new Set(['network.created']));
    scene.receiver.react(204);
    await scene.operator.until(() => scene.receiver.received.length === 4, 1_000);
    expect(typesOf(scene.receiver.received.slice(2))).toEqual(['network.created', 'network.operational']);
  });

  it('that is slow delays nobody else', async () => {
    const slow = await startReceiver();
    let [underWay, most] = [0, 0];
    slow.react((_arrived, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      response.once('close', () => {
        underWay -= 1;
      });
    });
    await scene.place.webhook('slow', { url: slow.url });
    await scene.place.webhook('fast', { url: scene.receiver.url });
    await active('slow');
    await active('fast');
    const names = Array.from({ length: 12 }, (_, at) => `net-${at}`);
    for (const name of names) await scene.place.network(name);
    await scene.operator.until(
      () => slow.arrived.length >= 4 && scene.receiver.received.length === names.length,
      5,
    );
    // It never has more than its share of four under way, and none of them is answered.
    expect([most, slow.received.length]).toEqual([4, 0]);
    await slow.close();
  });

  it('that redirects is not followed, and the log says so', async () => {
    const trap = await startReceiver();
    scene.receiver.react((_arrived, response) => response.writeHead(302, { location: trap.url }).end());
    const { metadata } = await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('net');
    const logged = async () => (await scene.place.deliveries(metadata.uid))[0]?.log[0];
    await scene.operator.until(async () => (await logged()) !== undefined);
    expect(await logged()).toMatchObject({
      status: 302,
      error: expect.stringContaining('redirects are not followed'),
    });
    expect(trap.arrived).toEqual([]);
    await trap.close();
  });

  it('that answers 429 with Retry-After is left alone for that long', async () => {
    scene.receiver.react((_arrived, response) => response.writeHead(429, { 'retry-after': '600' }).end());
    await scene.place.webhook('ci', { url: scene.receiver.url });
    await active('ci');
    await scene.place.network('net');
    await scene.operator.until(() => scene.receiver.arrived.length === 1);
    await scene.operator.pass(590_000);
    await scene.place.network('other');
    expect(scene.receiver.arrived).toHaveLength(1);
    scene.receiver.react(204);
    await scene.operator.until(() => scene.receiver.received.length === 2, 1_000);
  });

  it('whose answer quotes the URL or a credential finds neither in the log', async () => {
    scene.receiver.react((_arrived, response) =>
      response.writeHead(500).end('no /hook?token=verysecrettoken, Bearer abcdef123456\u0007'),
    );
    const { metadata } = await scene.place.webhook('ci', {
      url: `${scene.receiver.url}/hook?token=verysecrettoken`,
    });
    await active('ci');
    await scene.place.network('net');
    const text = async () => JSON.stringify((await scene.place.deliveries(metadata.uid))[0]?.log ?? []);
    await scene.operator.until(async () => (await text()) !== '[]');
    expect(await text()).toContain('no [url], Bearer (redacted)');
  });
});
