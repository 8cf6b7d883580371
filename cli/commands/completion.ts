import { namedKinds, namesOf } from '../completion/names.ts';
import { fail } from '../lib/failure.ts';
import type { CommandSpec } from '../lib/spec.ts';

export const completionCommand: CommandSpec = {
  usage: 'completion <shell> [kind]',
  summary: 'Print a completion script for bash, zsh or fish.',
  details: `The scripts complete commands, options and the names of what you have. For those they run \`slipway completion names KIND\`, where
KIND is ${namedKinds.slice(0, -1).join(', ')} or ${namedKinds.at(-1)}.`,
  examples: [
    'source <(slipway completion bash)   # in ~/.bashrc',
    'source <(slipway completion zsh)    # in ~/.zshrc, after compinit',
    'slipway completion fish > ~/.config/fish/completions/slipway.fish',
  ],
  async run({ ui, client, completionFor }, { args: [shell = '', kind = ''] }) {
    const named = namedKinds.find((one) => shell === 'names' && one === kind);
    if (named) return ui.raw((await namesOf(await client(), named)).map((name) => `${name}\n`).join(''));
    const script = completionFor(shell);
    if (!script) throw fail('usage', `There is no completion for "${shell}".`, 'Use bash, zsh or fish.');
    ui.raw(script);
  },
};
