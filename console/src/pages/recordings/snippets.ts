import type { Network, StartRecording } from '../../../../sdk/src/generated/types.ts';
import { curlOf, type Snippet, sdkOf, shellWord } from '../../lib/snippets.ts';
import { toYaml } from '../../lib/yaml.ts';

/** How else to make the same request. */
export function snippetsOf(body: StartRecording, networks: readonly Network[], workspace: string): Snippet[] {
  const names = networks.map(({ name }) => name);
  const labels = Object.entries(body.metadata?.labels ?? {}).map(
    ([name, value]) => `--label ${shellWord(`${name}=${value}`)}`,
  );
  const words = [body.userAddress, ...names].map(shellWord);
  return [
    { name: 'curl', text: curlOf('/transaction/v1alpha1/transaction/recording/start', body, workspace) },
    { name: 'CLI', text: ['slipway recording start', ...words, ...labels].join(' ') },
    { name: 'SDK', text: sdkOf('const { recordingId } = await client.recordings.start', body) },
    {
      name: 'YAML',
      text: toYaml({
        apiVersion: 'slipway.dev/v1alpha1',
        kind: 'Recording',
        metadata: { name: 'my-recording', labels: body.metadata?.labels },
        spec: { userAddress: body.userAddress, networks: names },
      }),
    },
  ];
}
