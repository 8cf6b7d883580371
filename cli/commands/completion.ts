import { fail } from '../lib/failure.ts';
import type { CommandSpec } from '../lib/spec.ts';

export const completionCommand: CommandSpec = {
  usage: 'completion <shell>',
  summary: 'Print a completion script for bash, zsh or fish.',
  examples: [
    'source <(slipway completion bash)   # in ~/.bashrc',
    'source <(slipway completion zsh)    # in ~/.zshrc, after compinit',
    'slipway completion fish > ~/.config/fish/completions/slipway.fish',
  ],
  async run({ ui, completionFor }, { args: [shell = ''] }) {
    const script = completionFor(shell);
    if (!script) throw fail('usage', `There is no completion for "${shell}".`, 'Use bash, zsh or fish.');
    ui.raw(script);
  },
};
