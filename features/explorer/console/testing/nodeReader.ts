import type { ChainAnswers } from '../../../../sdk/src/generated/types.ts';
import { createReader, type NamedContract, type Reader } from '../reader.ts';

/** A reader that asks a node directly, as the service does for it. */
export function nodeReader(url: string, contracts: readonly NamedContract[] = []): Reader {
  let id = 0;
  const ask = async (read: object): Promise<ChainAnswers['answers'][number]> => {
    id += 1;
    const body = JSON.stringify({ jsonrpc: '2.0', id, params: [], ...read });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await response.json()) as ChainAnswers['answers'][number];
    return error ? { error } : { result };
  };
  return readerOf(async ({ reads = [], contracts: wanted = [] }) => ({
    kind: 'ChainAnswers',
    version: 'v1alpha',
    enclaveID: 'e-1',
    answers: await Promise.all(reads.map(ask)),
    contracts: contracts.filter(({ address }) => wanted.includes(address)),
  }));
}

type Body = { reads?: object[]; contracts?: string[] };

/** A reader over what answers its requests. */
export function readerOf(readChain: (body: Body) => Promise<ChainAnswers>): Reader {
  const networks = { readChain: (_id: string, body: Body) => readChain(body) };
  // Only this method is called.
  const client = { networks } as unknown as Parameters<typeof createReader>[0]['client'];
  return createReader({ client, networkId: 'n', enclaveID: 'e-1', signal: new AbortController().signal });
}
