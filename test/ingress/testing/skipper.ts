import { freePorts } from '../../../hack/testenv/servers.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { type Controller, startProgram } from './programs.ts';

/** Skipper with the options of docs/install.md; it reads the cluster through a proxy of kubectl. */
export async function startSkipper(): Promise<Controller> {
  const { skipper, kubectl } = await ensureTools(['skipper', 'kubectl']);
  const [port = 0, support = 0, proxy = 0] = await freePorts(3);
  const bridge = startProgram({ command: kubectl, args: ['proxy', `--port=${proxy}`] });
  const controller = startProgram({
    command: skipper,
    args: [
      '-kubernetes',
      `-kubernetes-url=http://127.0.0.1:${proxy}`,
      '-kubernetes-ingress-class=^skipper$',
      '-kubernetes-path-mode=path-prefix',
      '-kubernetes-https-redirect=false',
      '-enable-kubernetes-endpointslices',
      '-source-poll-timeout=1000',
      '-wait-first-route-load',
      '-proxy-preserve-host',
      '-forwarded-headers=X-Forwarded-For',
      `-address=127.0.0.1:${port}`,
      `-support-listener=127.0.0.1:${support}`,
      '-read-timeout-server=0',
      '-write-timeout-server=0',
      '-experimental-upgrade',
      '-response-header-timeout-backend=24h',
      '-access-log-disabled',
    ],
  });
  return {
    port,
    output: controller.output,
    stop: async () => void (await Promise.all([controller.stop(), bridge.stop()])),
  };
}
