import { tokenType } from '../../core/api/resources/resources.ts';
import { createFakeKube, type FakeKube } from '../../core/kube/testing/fake/fake.ts';
import { badArgs, goodArgs, neededArgs } from './testing/argRows.ts';
import { startTokenApi, type TokenApi } from './testing/fixtures.ts';

let tokens: TokenApi<FakeKube>;
let network: string;
let second: string;
beforeAll(async () => {
  tokens = await startTokenApi(createFakeKube());
  network = await tokens.addNetwork('first');
  second = await tokens.addNetwork('second');
});
afterAll(() => tokens.api.close());

const tokensStored = async () => (await tokens.kube.list(tokenType)).items.length;

test.each(goodArgs)('%s: %s accepts them', async (_reason, standard, more) => {
  const args = { ...neededArgs[standard], ...more };
  const { status, json } = await tokens.deploy(network, { standard, args });
  expect([status, json.details]).toEqual([201, undefined]);
  const added = await tokens.ask(`/${json.id}/add-deployments`, {
    body: { networks: [second], args: { total_supply: '1000000', ...args } },
  });
  expect([added.status, added.json.details]).toEqual([201, undefined]);
  const [one, other] = added.json.deployments;
  expect(other.args).toEqual(one.args);
});

test.each(badArgs)(
  '%s: %s refuses them and names the field',
  async (_reason, standard, more, member, message) => {
    const count = await tokensStored();
    const args = { ...neededArgs[standard], ...more };
    const { status, json } = await tokens.deploy(network, { standard, args });
    expect([status, json.reason]).toEqual([400, 'BadRequest']);
    expect(json.details).toEqual([
      { path: `deployments[0].args.${member}`, message: expect.stringContaining(message) },
    ]);
    expect(json.message).toContain(member);
    expect(await tokensStored()).toBe(count);

    const { id } = (await tokens.deploy(network, { standard, args: neededArgs[standard] })).json;
    const added = await tokens.ask(`/${id}/add-deployments`, {
      body: { networks: [second], args: { total_supply: '1000000', ...args } },
    });
    expect([added.status, added.json.reason]).toEqual([400, 'BadRequest']);
    expect(added.json.details).toEqual([
      { path: `args.${member}`, message: expect.stringContaining(message) },
    ]);
    expect((await tokens.stored(id))?.spec.deployments).toHaveLength(1);
  },
);
