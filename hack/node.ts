import { runProgram } from './lib/program.ts';
import { say } from './lib/progress.ts';
import { UserError } from './lib/run.ts';
import { addNativeNode, removeNativeNodes } from './nativeNode/cluster.ts';

const commands: Record<string, () => Promise<void>> = {
  async add() {
    const names = await addNativeNode();
    say(
      `${names.join(', ')}: ready. \`make status\` shows all nodes, \`make node-down\` removes those that were added.`,
    );
  },
  async remove() {
    const names = await removeNativeNodes();
    say(
      names.length > 0 ? `Removed and verified: ${names.join(', ')}` : 'No node was added to this cluster.',
    );
  },
};

/** `node hack/node.ts add|remove`: adds a node to the native cluster, or removes all that were added. */
async function main(name = ''): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UserError('usage: node hack/node.ts add | remove');
  await command();
}

runProgram(() => main(process.argv[2]));
