import { DecoratorHandler, Dispatcher, Pool } from 'undici';
import { countInterimHeads } from '../lib/http/interimHeads.ts';

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
      poolOf(String(call.origin)).dispatch(call, new WithFewInterimHeads(handler)),
    close: () => endAll((pool) => pool.close()),
    destroy: () => endAll((pool) => pool.destroy()),
  });
}

/** Its types leave out that it passes on all that it is told. */
const Decorator = DecoratorHandler as new (handler: Dispatcher.DispatchHandler) => Dispatcher.DispatchHandler;

/** Ends a request whose server sends interim heads without an end: they keep the process busy, and a limit for idle time never passes. */
class WithFewInterimHeads extends Decorator {
  private controller: Dispatcher.DispatchController | undefined;
  private readonly count = countInterimHeads(() => {
    const code = 'too many interim answers';
    this.controller?.abort(Object.assign(new Error(`the server sent ${code}`), { code }));
  });

  override onResponseStart(...start: Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>) {
    const [controller, statusCode] = start;
    this.controller = controller;
    if (statusCode < 200) this.count();
    super.onResponseStart?.(...start);
  }
}
