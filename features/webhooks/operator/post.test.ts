import { createDeliveryAgent, createPost } from './post.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const delivery = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{}' });
const port = () => new URL(receiver.url).port;

it.each([
  ['a name with a private address', ['127.0.0.1']],
  ['a name with a public address and a private one', ['1.1.1.1', '10.0.0.1']],
  ['a name with the address of a metadata service', ['169.254.169.254']],
  ['a name with IPv4 in IPv6', ['::ffff:127.0.0.1']],
  ['a name with a unique local address', ['fd00::1']],
])('%s is refused when a connection is made', async (_name, addresses) => {
  const agent = createDeliveryAgent({
    deliveries: { allowPrivateAddresses: false },
    resolve: (_host, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
  });
  const sent = createPost(agent)(delivery(`http://rebinding.example:${port()}/`));
  await expect(sent).rejects.toThrow('does not resolve to a public address');
  expect(receiver.arrived).toEqual([]);
  await agent.destroy();
});

it.each(['127.0.0.1', '[::1]'])('the address %s in a URL is refused as well', async (host) => {
  const agent = createDeliveryAgent({ deliveries: { allowPrivateAddresses: false } });
  await expect(createPost(agent)(delivery(`http://${host}:${port()}/`))).rejects.toThrow(
    'does not resolve to a public address',
  );
  expect(receiver.arrived).toEqual([]);
  await agent.destroy();
});

it('a name that nobody has is refused in the words for one with a private address, and is looked up without search domains', async () => {
  const messages = new Set<string>();
  const asked: string[] = [];
  for (const error of [null, Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })]) {
    const agent = createDeliveryAgent({
      deliveries: { allowPrivateAddresses: false },
      resolve(host, done) {
        asked.push(host);
        done(error, error ? [] : [{ address: '10.96.0.1', family: 4 }]);
      },
    });
    const sent = createPost(agent)(delivery('https://kubernetes.default/'));
    await sent.catch((refusal: Error) => messages.add(refusal.message));
    await agent.destroy();
  }
  expect([...messages]).toEqual([expect.stringContaining('does not resolve to a public address')]);
  expect(asked).toEqual(['kubernetes.default.', 'kubernetes.default.']);
});

it('where private addresses are allowed, an unknown name is reported as such', async () => {
  const unknown = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const agent = createDeliveryAgent({
    deliveries: { allowPrivateAddresses: true },
    resolve: (host, done) => done(host === 'hooks.team' ? unknown : null, []),
  });
  await expect(createPost(agent)(delivery('https://hooks.team/'))).rejects.toMatchObject({
    code: 'ENOTFOUND',
  });
  await agent.destroy();
});

it('the connection goes to the address that was checked, whatever the name resolves to a moment later', async () => {
  const answers = ['127.0.0.1', '169.254.169.254'];
  let asked = 0;
  const agent = createDeliveryAgent({
    deliveries: { allowPrivateAddresses: true },
    resolve: (_host, done) => done(null, [{ address: answers[asked++] ?? '', family: 4 }]),
  });
  const { status } = await createPost(agent)(delivery(`http://rebinding.example:${port()}/`));
  expect([status, asked, receiver.received.length]).toEqual([204, 1, 1]);
  await agent.destroy();
});

it('of a long answer, only the first bytes are read', async () => {
  receiver.react((_arrived, response) => response.writeHead(500).end('x'.repeat(1_000_000)));
  const agent = createDeliveryAgent({ deliveries: { allowPrivateAddresses: true } });
  const { status, text } = await createPost(agent)(delivery(receiver.url));
  expect([status, text.length]).toEqual([500, 1024]);
  await agent.destroy();
});

it('no answer in time is a failure that says so', async () => {
  receiver.react(() => undefined);
  const agent = createDeliveryAgent({ deliveries: { allowPrivateAddresses: true } });
  await expect(createPost(agent, 50)(delivery(receiver.url))).rejects.toThrow('no answer within 0.05 s');
  await agent.destroy();
});
