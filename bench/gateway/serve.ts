import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRpcGateway } from '../../apiserver/gateway/gateway.ts';
import { gatewayMetricTable } from '../../apiserver/gateway/metrics.ts';
import { accessKeyOf } from '../../core/accounts/accessKeys.ts';
import { systemClock } from '../../core/lib/clock.ts';
import { createLog } from '../../core/lib/log.ts';
import { createMetrics } from '../../core/lib/metrics.ts';
import { firstEpochs } from '../../core/networks/accessEpochs.ts';

/** Runs a gateway in its own process in front of the node on the given port, and prints the gateway's URL. */
const uid = '7c2f0b54-4a1e-4d0e-9d59-3f3a1f0c2b11';
const key = Buffer.alloc(32, 7);
const accessKey = accessKeyOf(key, { networkUid: uid, access: 'admin', epoch: 0 });
const upstream = { host: '127.0.0.1', port: Number(process.argv[2]) };
const network = {
  uid,
  name: 'bench',
  namespace: 'bench',
  type: 'Ethereum',
  state: 'Operational',
  isDeleting: false,
  accessEpochs: firstEpochs,
} as const;

const gateway = createRpcGateway({
  accessKeys: { currentId: 'k1', keys: new Map([['k1', key]]) },
  networks: { find: () => network, onChange: () => () => undefined },
  upstreams: { find: () => upstream, onChange: () => () => undefined },
  wake: () => undefined,
  activity: () => undefined,
  settings: { holdSeconds: 20, maxBodyBytes: 5 * 1024 * 1024 },
  clock: systemClock,
  log: createLog('bench'),
  metrics: createMetrics([gatewayMetricTable]),
});
const server = createServer(gateway.handle).on('upgrade', gateway.handleUpgrade);
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`http://127.0.0.1:${port}/rpc/${uid}/${accessKey}/rpc`);
});
