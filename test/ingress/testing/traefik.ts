import { freePorts } from '../../../hack/testenv/servers.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { type Controller, startProgram } from './programs.ts';

/** Traefik with both of its Kubernetes providers and its own defaults. */
export async function startTraefik(): Promise<Controller> {
  const { traefik } = await ensureTools(['traefik']);
  const [port = 0] = await freePorts(1);
  const args = [
    `--entryPoints.web.address=127.0.0.1:${port}`,
    '--providers.kubernetesIngress=true',
    '--providers.kubernetesGateway=true',
    ...['--global.checkNewVersion=false', '--global.sendAnonymousUsage=false', '--log.level=INFO'],
  ];
  return { port, ...startProgram({ command: traefik, args }) };
}
