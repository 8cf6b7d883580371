import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { linkOrCopy, prepareCgroups, writeText } from '../prepare.ts';
import { writeService } from '../runit.ts';
import { podServices } from '../services.ts';
import { type NodeFacts, plainConfigs } from '../setup/configs.ts';
import { kubeletUser, kubeProxyUser, writeKubeconfig } from '../setup/credentials.ts';
import { kubeconfigOf, layout, pkiFile, program } from '../setup/layout.ts';
import type { NodePlace } from '../setup/place.ts';
import { bootScript, enterScript, stopScript, workerCommand } from './scripts.ts';
import { outside, workerFolder } from './worker.ts';

const programs = ['kubelet', 'kube-proxy'];

/** Writes programs, configuration, credentials and services of an added node, and last the service that is the node. */
export async function writeWorker(place: NodePlace, facts: NodeFacts): Promise<void> {
  const there = (path: string) => outside(place, path);
  for (const folder of [layout.bin, layout.pki, layout.podLogs, layout.volumes])
    mkdirSync(there(folder), { recursive: true });
  for (const name of programs) {
    if (!existsSync(there(program(name)))) linkOrCopy(program(name), there(program(name)));
  }
  for (const [path, text] of Object.entries(plainConfigs(facts, place))) writeText(there(path), text, 0o644);
  copyFileSync(pkiFile('ca.crt'), there(pkiFile('ca.crt')));
  await writeKubeconfigs(place);
  prepareCgroups(place);
  for (const service of podServices(place)) writeService(service, there);
  writeText(`${workerFolder(place)}/enter.sh`, enterScript(place), 0o644);
  writeText(`${workerFolder(place)}/boot.sh`, bootScript(place), 0o644);
  writeService({ name: place.name, command: workerCommand(place), stop: stopScript(place) });
}

async function writeKubeconfigs(place: NodePlace): Promise<void> {
  const users = { kubelet: kubeletUser(place.name), 'kube-proxy': kubeProxyUser };
  for (const [component, user] of Object.entries(users)) {
    const path = outside(place, kubeconfigOf(component));
    if (!existsSync(path)) await writeKubeconfig(path, user);
  }
}
