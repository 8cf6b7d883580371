import { runProgram } from '../lib/program.ts';
import { UserError } from '../lib/run.ts';
import { nativeLogs } from '../nativeNode/cluster.ts';
import { clusterStatus, downCluster, ensureCluster } from './ensure.ts';

const USAGE =
  'usage: node hack/cluster/main.ts up [auto|native|kind|current] | down | status | logs [SERVICE]';

const commands: Record<string, (argument?: string) => Promise<void>> = {
  async up(kind) {
    const cluster = await ensureCluster(kind ?? process.env.CLUSTER ?? 'auto');
    console.log(`The ${cluster.kind} cluster is running; ingress: ${cluster.gatewayUrl}`);
    for (const note of cluster.notes) console.log(`  ${note}`);
    console.log(`  export KUBECONFIG=${cluster.kubeconfig}`);
  },
  down: () => downCluster(),
  async status() {
    console.log(await clusterStatus());
  },
  async logs(service) {
    console.log((await nativeLogs(service)) ?? 'There are no native node logs on this machine.');
  },
};

async function main(name = '', argument?: string): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UserError(USAGE);
  await command(argument);
}

runProgram(() => main(process.argv[2], process.argv[3]));
