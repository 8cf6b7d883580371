import type { Client } from '../../../sdk/src/client.ts';
import type { ChainAnswers } from '../../../sdk/src/generated/types.ts';

import { keptContract } from './abis.ts';
import { inParts } from './inParts.ts';
import { createNames, type Names } from './names.ts';

export type Answer = ChainAnswers['answers'][number];
export type NamedContract = ChainAnswers['contracts'][number];
type Call = readonly [method: string, ...params: unknown[]];

/** Reads one chain of a network, without using the network. */
export interface Reader extends Names {
  /** The answers in the order of the calls. Rejects when the network runs another chain by now, or none. */
  ask(calls: readonly Call[]): Promise<Answer[]>;
  /** The result of one call; undefined when the node has none. Rejects when the node refuses it. */
  one(...call: Call): Promise<unknown>;
}

const maxCalls = 50;

interface ReaderOptions {
  client: Pick<Client, 'networks'>;
  networkId: string;
  enclaveID: string;
  signal: AbortSignal;
  /** What this browser knows of contracts that the service does not know. */
  storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

export function createReader(options: ReaderOptions): Reader {
  const { client, networkId, enclaveID, signal } = options;

  async function read(body: Parameters<Client['networks']['readChain']>[1]): Promise<ChainAnswers> {
    const answers = await client.networks.readChain(networkId, body, { signal });
    if (answers.enclaveID === enclaveID) return answers;
    throw new Error('The network began another chain.');
  }

  async function ask(calls: readonly Call[]): Promise<Answer[]> {
    const parts: Answer[] = [];
    for (const some of inParts(calls, maxCalls)) {
      const reads = some.map(([method, ...params]) => (params.length > 0 ? { method, params } : { method }));
      parts.push(...(await read({ reads })).answers);
    }
    return parts;
  }

  return {
    ask,
    async one(...call) {
      const [answer] = await ask([call]);
      if (answer?.error) throw new Error(answer.error.message);
      return answer?.result ?? undefined;
    },
    ...createNames({
      askNode: ask,
      askNames: async (contracts) => (await read({ contracts })).contracts,
      kept: (address) => options.storage && keptContract(options.storage, enclaveID, address),
    }),
  };
}
