import { JsonRpcProvider } from 'ethers';
import { until } from '../lib/service.ts';
import { minuteMs } from './families.ts';

/** The data in a beacon API response. */
// biome-ignore lint/suspicious/noExplicitAny: an assertion on a missing member fails with a clear message
export async function askBeacon(url: string | undefined, path: string): Promise<any> {
  const response = await fetch(`${url}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const answer: any = await response.json();
  return answer.data;
}

export async function withProvider<T>(
  url: string | undefined,
  use: (provider: JsonRpcProvider) => Promise<T>,
): Promise<T> {
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1, staticNetwork: true });
  try {
    return await use(provider);
  } finally {
    provider.destroy();
  }
}

/** Resolves with the block height once it is at least `number`. A network that is still starting returns 503. */
export function reachBlock(url: string | undefined, number: number, limitMs = 2 * minuteMs): Promise<number> {
  return withProvider(url, (provider) =>
    until(
      `block ${number}`,
      () => provider.getBlockNumber().catch(() => -1),
      (block) => block >= number,
      limitMs,
    ),
  );
}
