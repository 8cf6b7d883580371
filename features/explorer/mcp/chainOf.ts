import type { ChainReads } from '../../../mcp/chain.ts';
import type { Client } from '../../../sdk/src/client.ts';
import { isSlipwayError } from '../../../sdk/src/error.ts';

export function chainOf({ networks, contracts }: Client): ChainReads {
  return {
    ask: async (id, reads, signal) => (await networks.readChain(id, { reads }, { signal })).answers,
    async knownAbi(id, given) {
      const address = given.toLowerCase();
      try {
        const answer = await networks.readChain(id, { contracts: [address] });
        return answer.contracts.find((one) => one.address === address)?.abi;
      } catch (error) {
        if (isSlipwayError(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    contractsNamed: (id, name) => contracts.listAll(id, { name }),
  };
}
