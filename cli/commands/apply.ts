import { apply, diff, remove } from '../apply/apply.ts';
import { type CommandSpec, type OptionSpec, timeoutOption, waitOption } from '../lib/spec.ts';

const fileOption: OptionSpec = {
  flags: '-f, --file <path>',
  text: 'A manifest, a folder of them, or - for standard input; may be repeated.',
  isMany: true,
  isRequired: true,
};

export const applyCommands: readonly CommandSpec[] = [
  {
    usage: 'apply',
    summary: 'Create and update objects from manifests, through the API.',
    details: `Takes the same YAML as kubectl: Network, Secret, Snapshot, Token, Recording, Webhook, RpcKey and AddressName of
slipway.dev/v1alpha1, without access to the cluster. Labels of slipway.dev/ are left out, so what kubectl get prints can be applied; a
new object has a new id. Objects are identified by kind and name in the workspace of your key; metadata.namespace is ignored. All
manifests are checked before anything is changed.`,
    options: [
      fileOption,
      { flags: '--dry-run', text: 'Only show what would change.' },
      {
        flags: '--prune',
        text: 'Delete objects with the label of -l that are in no manifest, after a confirmation.',
      },
      {
        flags: '-l, --label <key=value>',
        text: 'The label for --prune; may be repeated.',
        isMany: true,
        needs: ['prune'],
      },
      { flags: '--yes', text: 'Do not ask.' },
      waitOption,
      // Secrets are deleted once the networks that refer to them are gone.
      { ...timeoutOption, needs: ['wait', 'prune'] },
    ],
    examples: [
      'slipway apply -f networks/ --wait',
      'slipway apply -f networks/ --prune -l team=a --dry-run',
      'kustomize build . | slipway apply -f -',
    ],
    run: apply,
  },
  {
    usage: 'diff',
    summary: 'Show what applying manifests would change.',
    details: `As with "kubectl diff", exit code 0 means no changes, 1 means changes, and any other code means that the comparison
failed.`,
    options: [fileOption],
    examples: [
      'slipway diff -f networks/',
      'slipway diff -f network.yaml; if [ $? -eq 1 ]; then slipway apply -f network.yaml --wait; fi',
    ],
    run: diff,
  },
  {
    usage: 'delete',
    summary: 'Delete the objects in manifests.',
    options: [fileOption, waitOption, timeoutOption],
    examples: ['slipway delete -f networks/ --wait'],
    run: remove,
  },
];
