import type { OnChain } from '../../../../console/src/feature.ts';
import type { Client } from '../../../../sdk/src/client.ts';
import type { ChainAnswers } from '../../../../sdk/src/generated/types.ts';

type Answer = ChainAnswers['answers'][number];

/** Something that a chain may have. */
export interface Place {
  networkId: string;
  target: OnChain;
}

/** What asks an EVM chain for it. */
function readsOf({ kind, value }: OnChain) {
  if (kind === 'address') {
    return ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode'].map((method) => ({
      method,
      params: [value, 'latest'],
    }));
  }
  return [
    { method: 'eth_getTransactionByHash', params: [value] },
    { method: 'eth_getBlockByHash', params: [value, false] },
  ];
}

/** Zero and no code are what a chain answers for an address that it never saw. */
const isSomething = ({ result }: Answer): boolean =>
  result !== undefined && result !== null && !/^0x0*$/.test(String(result));

const atATime = 6;

/** The ids of the networks whose chains have it. A chain that cannot be read has nothing. */
export async function networksWith(
  client: Pick<Client, 'networks'>,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<string[]> {
  const left = [...places];
  const found = new Set<string>();
  const work = async () => {
    for (let place = left.shift(); place; place = left.shift()) {
      const { networkId, target } = place;
      const read = client.networks.readChain(networkId, { reads: readsOf(target) }, { signal });
      const answers = await read.then((all) => all.answers).catch(() => []);
      if (answers.some(isSomething)) found.add(networkId);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return places.map(({ networkId }) => networkId).filter((id) => found.has(id));
}
