import { createClient, isSlipwayError } from '@slipway/sdk';
import { withNetwork } from '@slipway/sdk/fixture';

/** What a test run does with the SDK, printed as JSON. It imports nothing of any runtime. */
const steps = [];
const { client, ...inside } = await withNetwork(
  { onStep: ({ state }) => steps.push(state) },
  async ({ id, rpc, privateKey, client }) => {
    const listed = [];
    for await (const network of client.networks.listAll({ limit: 1 })) listed.push(network.id);
    const types = [];
    for await (const { type } of client.events.stream({ types: ['network.*'] })) {
      types.push(type);
      if (type === 'stream.ready') break;
    }
    return {
      client,
      id,
      rpc,
      types,
      isListed: listed.includes(id),
      hasKey: /^0x[0-9a-f]{64}$/.test(privateKey),
    };
  },
);
const gone = await client.networks
  .get(inside.id)
  .catch((error) => isSlipwayError(error, 'NotFound') && error.status);
const refused = await createClient({ url: 'http://127.0.0.1:1', apiKey: 'k.s', retries: 0 })
  .networks.list()
  .catch((error) => isSlipwayError(error, 'Unreachable'));
console.log(JSON.stringify({ ...inside, state: steps.at(-1), gone, refused }));
