import { parseAllDocuments } from 'yaml';
import { skipperValues } from '../../../hack/cluster/native/addons.ts';
import { renderAddon } from '../../../hack/cluster/render.ts';
import { freePorts } from '../../../hack/testenv/servers.ts';
import { ensureTools } from '../../../hack/tools/ensure.ts';
import { type Controller, startProgram } from './programs.ts';

/** Skipper with the options that the native node and kind give it; it reads the cluster through a proxy of kubectl. */
export async function startSkipper(): Promise<Controller> {
  const { skipper, kubectl } = await ensureTools(['skipper', 'kubectl']);
  const [port = 0, support = 0, proxy = 0] = await freePorts(3);
  const bridge = startProgram({ command: kubectl, args: ['proxy', `--port=${proxy}`] });
  const options = skipperOptions(port).filter(
    (option) => !/^-(kubernetes-in-cluster|support-listener)/.test(option),
  );
  const own = [`-kubernetes-url=http://127.0.0.1:${proxy}`, `-support-listener=127.0.0.1:${support}`];
  const controller = startProgram({ command: skipper, args: [...options, ...own] });
  return {
    ...{ port, output: controller.output },
    stop: async () => void (await Promise.all([controller.stop(), bridge.stop()])),
  };
}

interface Container {
  args?: string[];
}

function skipperOptions(port: number): string[] {
  const documents = parseAllDocuments(renderAddon('skipper', skipperValues('skipper', '127.0.0.1', port)));
  const deployment = documents.map((one) => one.toJS()).find(({ kind }) => kind === 'Deployment');
  const [container]: Container[] = deployment.spec.template.spec.containers;
  return container?.args ?? [];
}
