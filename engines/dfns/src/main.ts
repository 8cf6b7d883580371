import { createServer } from 'node:http';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { createLog } from '../../../core/lib/log.ts';
import { runProcess, stopRequested } from '../../../core/lib/process.ts';
import { createDfns } from './dfns.ts';
import { createDfnsListener } from './listener.ts';
import { readDfnsSettings } from './settings.ts';

/** The stand-in for Dfns of one network. Its only argument is its configuration file. */
async function main(): Promise<void> {
  const stop = stopRequested();
  const settings = readDfnsSettings(process.argv[2] ?? '/etc/dfns/config.json');
  const log = createLog('dfns', 'info');
  const rpc = createEvmRpc({ url: settings.config.rpcUrl });
  const dfns = createDfns(settings, { rpc, clock: systemClock, log });
  const server = createServer(createDfnsListener(dfns));
  server.maxConnections = 256;
  server.keepAliveTimeout = 75_000;
  await new Promise<void>((resolve) => server.listen(settings.config.port, resolve));
  log.info('serving', { organisation: settings.config.organisation });
  await stop;
  server.close();
  server.closeAllConnections();
  await dfns.close();
}

runProcess('dfns', main);
