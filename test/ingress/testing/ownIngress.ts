import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from '../../../apiserver/testing/eventually.ts';
import { freePorts } from '../../../hack/testenv/servers.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { type Controller, startProgram } from './programs.ts';

/** The ingress controller of the native node and of kind clusters; it reads the cluster through a proxy of kubectl. */
export async function startOwnIngress(): Promise<Controller> {
  const { ingress, kubectl } = await ensureTools(['ingress', 'kubectl']);
  const [port = 0, proxy = 0] = await freePorts(2);
  const bridge = startProgram({ command: kubectl, args: ['proxy', `--port=${proxy}`] });
  const args = [`-address=127.0.0.1:${port}`, `-kubernetes=http://127.0.0.1:${proxy}`];
  const controller = startProgram({ command: ingress, args });
  // It listens once it has read the cluster.
  await eventually(() => accepts(port), Boolean);
  return {
    port,
    output: controller.output,
    stop: async () => void (await Promise.all([controller.stop(), bridge.stop()])),
  };
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
