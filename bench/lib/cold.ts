import { kubectl } from '../../e2e/lib/cluster.ts';

/** The key of a file in a ConfigMap, which cannot contain slashes. */
const keyOf = (path: string) => path.slice(1).replaceAll('/', '__');

/**
 * An engine pod with its files, as the network would have got them if no pod had waited for it: a pod that waited has
 * the arguments and files of its network in the plan of its launcher.
 */
// biome-ignore lint/suspicious/noExplicitAny: objects of any kind
export async function withoutLauncher(pod: any): Promise<any[]> {
  const { metadata, spec } = pod;
  if (pod.kind !== 'Pod' || metadata.annotations?.['slipway.dev/adopted'] === undefined) return [pod];
  const { stdout } = await kubectl(['exec', metadata.name, '--', '/bin/cat', '/etc/slipway/plan.json']);
  const plan: { args: string[]; env: Record<string, string>; files: Record<string, string> } =
    JSON.parse(stdout);
  const files = Object.entries(plan.files);
  const [{ command: _launcher, ...container }] = spec.containers;
  const name = `${metadata.ownerReferences[0].name}-rpc-${metadata.labels['slipway.dev/incarnation']}`;
  const isFiles = (volume: { name: string }) => volume.name === 'files';
  const volumeMounts = [
    ...container.volumeMounts.filter((mount: { name: string }) => !isFiles(mount)),
    ...files.map(([path]) => ({ name: 'files', mountPath: path, subPath: keyOf(path), readOnly: true })),
  ];
  const env = Object.entries(plan.env).map(([variable, value]) => ({ name: variable, value }));
  const volumes = spec.volumes.map((volume: { name: string }) =>
    isFiles(volume) ? { name: 'files', configMap: { name: `${name}-files` } } : volume,
  );
  return [
    {
      ...pod,
      metadata: { ...metadata, name },
      spec: { ...spec, containers: [{ ...container, args: plan.args, env, volumeMounts }], volumes },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { ...metadata, name: `${name}-files` },
      data: Object.fromEntries(files.map(([path, text]) => [keyOf(path), text])),
    },
  ];
}
