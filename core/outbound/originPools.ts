import { Dispatcher, Pool } from 'undici';

/**
 * Keep-alive connections to any number of origins. undici's Agent goes through all origins whenever one of them has no
 * connection left: with 10,000 nodes it holds the process up for seconds once their connections have idled.
 */
export function createOriginPools(options: Pool.Options): Dispatcher {
  const pools = new Map<string, Pool>();

  function poolOf(origin: string): Pool {
    const known = pools.get(origin);
    if (known) return known;
    const pool = new Pool(origin, options);
    const forgetIdle = () => {
      const { connected, size } = pool.stats;
      if (connected > 0 || size > 0 || pools.get(origin) !== pool) return;
      pools.delete(origin);
      void pool.close();
    };
    pool.on('disconnect', forgetIdle).on('connectionError', forgetIdle);
    pools.set(origin, pool);
    return pool;
  }

  const endAll = async (end: (pool: Pool) => Promise<void>) => {
    const all = [...pools.values()];
    pools.clear();
    await Promise.all(all.map(end));
  };
  return Object.assign(new Dispatcher(), {
    dispatch: (call: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) =>
      poolOf(String(call.origin)).dispatch(call, handler),
    close: () => endAll((pool) => pool.close()),
    destroy: () => endAll((pool) => pool.destroy()),
  });
}
