import type { Client } from '../src/client.ts';
import { withNetwork } from '../src/fixture/fixture.ts';
import type { Network, NetworkCreate } from '../src/generated/types.ts';
import { unknownValue } from '../src/unknownValue.ts';

/**
 * What compiles and what does not. `npm run types` checks it: an error that is expected and does not come is one. Nothing here
 * runs.
 */

export function inputs(client: Client): void {
  void client.networks.create({ name: 'a', spec: { chain: { type: 'Arbitrum' } } });
  // @ts-expect-error there is no such type
  void client.networks.create({ name: 'a', spec: { chain: { type: 'Etherum' } } });
  // What only a later version of the service knows can be asked for on purpose.
  void client.networks.create({ name: 'a', spec: { chain: { type: unknownValue('Later') } } });
  const typed: NetworkCreate = {
    spec: { chain: { type: 'Base', base: { profile: 'light' } } },
  };
  // @ts-expect-error there is no such profile
  const wrong: NetworkCreate = { spec: { chain: { type: 'Base', base: { profile: 'lite' } } } };
  void [typed, wrong];
}

export function states(client: Client, network: Network): string {
  void client.waitFor('a', 'Operational');
  // @ts-expect-error there is no such state
  void client.waitFor('a', 'Operatonal');
  switch (network.status?.state) {
    case 'Operational':
      return 'runs';
    default:
      // What a later version of the service adds ends here, as a text.
      return network.status?.state ?? 'Pending';
  }
}

export function events(client: Client): void {
  void client.events.stream({ types: ['network.*', 'token.deployed'] });
  // @ts-expect-error there is no such kind
  void client.events.stream({ types: ['netwrk.*'] });
  // @ts-expect-error there is no such event
  void client.events.stream({ types: ['network.opertional'] });
}

/** What was answered can be sent back, whatever it has. */
export function answers(client: Client, { id, spec, metadata }: Network): void {
  void client.networks.replace(id, { spec: { ...spec, persistent: true }, metadata: { rev: metadata.rev } });
}

export function keys(): void {
  const lengthOf = (text: string) => text.length;
  void withNetwork({}, ({ privateKey }) => lengthOf(privateKey));
  void withNetwork({ spec: { chain: { type: 'Arbitrum' } } }, ({ privateKey }) => lengthOf(privateKey));
  void withNetwork({ spec: { chain: { type: 'Solana' } } }, ({ privateKey }) => {
    // @ts-expect-error no key is made for Solana
    lengthOf(privateKey);
  });
  const named = { chain: { type: 'Ethereum', ethereum: { privateKeyRef: { name: 'mine' } } } } as const;
  void withNetwork({ spec: named }, ({ privateKey }) => {
    // @ts-expect-error the spec names a key of its own
    lengthOf(privateKey);
  });
}
