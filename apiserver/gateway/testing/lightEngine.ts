import { evmDrivers } from '../../../core/chains/evm/drivers.ts';
import { startAnvil } from '../../../core/chains/evm/testing/startAnvil.ts';
import { planContext } from '../../../core/chains/testing/planContext.ts';
import type { RpcGatewayDeps } from '../deps.ts';
import { startWorld, type World } from './fixtures.ts';

export interface LightEngine {
  world: World;
  /** Of the engine itself. */
  url: string;
  /** Calls `take` for each line that the engine prints from now on. */
  onLine(take: (line: string) => void): void;
  stop(): Promise<void>;
}

/** The light engine of an Ethereum network as pods run it, behind the gateway. */
export async function startLightEngine(
  chain: { chainId: string; hotAddress: string },
  overrides: Partial<RpcGatewayDeps> = {},
): Promise<LightEngine> {
  const plan = evmDrivers.Ethereum.plan({
    ...planContext,
    ...chain,
    chain: { type: 'Ethereum' },
    mnemonicAddresses: [],
  });
  const [part] = plan.parts;
  if (!part) throw new Error('no engine');
  const anvil = await startAnvil(part);
  const { hostname, port } = new URL(anvil.url);
  const world = await startWorld({ host: hostname, port: Number(port) }, overrides);
  return { world, url: anvil.url, onLine: anvil.onLine, stop: () => world.close().then(anvil.stop) };
}
