import { createServer } from 'node:http';
import { createEvmRpc } from '../../../core/evm/rpc.ts';
import { systemClock } from '../../../core/lib/clock.ts';
import { createLog } from '../../../core/lib/log.ts';
import { runProcess, stopRequested } from '../../../core/lib/process.ts';
import { keyFiles } from '../../../core/plugins/vrf/agentSettings.ts';
import { secretKeyOf } from '../../../core/plugins/vrf/proof.ts';
import { createAgent } from './agent.ts';
import { createCommittee } from './committee.ts';
import { createProver } from './prover.ts';
import { runAgent } from './run.ts';
import { createSender } from './sender.ts';
import { readKey, readSettings } from './settings.ts';

/** Answers the requests for random words on a network: the pod of the plugin vrf that sends transactions. */
async function main(): Promise<void> {
  const stopping = new AbortController();
  void stopRequested().then(() => stopping.abort());
  const { rpcUrl, chainId, port, committee } = readSettings();
  const log = createLog('vrf');
  const rpc = createEvmRpc({ url: rpcUrl });
  const responder =
    committee.length > 0
      ? createCommittee(rpc, committee)
      : createProver(rpc, secretKeyOf(readKey(keyFiles.proving)));
  const sender = createSender({ rpc, key: `0x${readKey(keyFiles.account)}`, chainId, clock: systemClock });
  const agent = createAgent({ rpc, responder, sender, clock: systemClock, log });
  createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ account: sender.address, openRequests: agent.openRequests() }));
  }).listen(port);
  log.info('started', { account: sender.address });
  await runAgent(agent, { clock: systemClock, log, stop: stopping.signal });
}

runProcess('vrf', main);
