import type { EvmRpc } from '../../../core/evm/rpc.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import type { Log } from '../../../core/lib/log.ts';
import type { DfnsConfig } from '../../../core/plugins/dfns/config.ts';
import { type Assets, createAssets } from './assets.ts';
import { type ChainIndex, createChainIndex } from './chainIndex.ts';
import { createKeys, type Keys } from './keys.ts';
import { createSender, type Sender } from './sender.ts';
import type { DfnsSettings } from './settings.ts';
import { createStore, type Store } from './store.ts';
import { createTracker } from './tracker.ts';
import { createUserActions, type UserActions } from './userActions.ts';

/** What the handlers of requests work with. */
export interface Dfns {
  config: DfnsConfig;
  token: string;
  store: Store;
  keys: Keys;
  rpc: EvmRpc;
  sender: Sender;
  index: ChainIndex;
  assets: Assets;
  userActions: UserActions;
  clock: Clock;
  log: Log;
  /** The present time, as Dfns writes it. */
  now(): string;
  close(): Promise<void>;
}

/** Opens the database and takes up what was not settled when the process ended. */
export function createDfns(
  { config, masterKey, token }: DfnsSettings,
  deps: { rpc: EvmRpc; clock: Clock; log: Log },
): Dfns {
  const { rpc, clock } = deps;
  const store = createStore(config.database);
  const keys = createKeys(masterKey);
  const tracker = createTracker({ ...deps, store });
  const { chainId, user } = config;
  tracker.follow();
  return {
    ...deps,
    config,
    token,
    store,
    keys,
    sender: createSender({ store, keys, rpc, chainId, user, clock }, tracker.follow),
    index: createChainIndex({ store, rpc }),
    assets: createAssets({ rpc, symbol: config.symbol }),
    userActions: createUserActions(config, clock),
    now: () => new Date(clock.nowMs()).toISOString(),
    async close() {
      await tracker.close();
      store.close();
    },
  };
}
