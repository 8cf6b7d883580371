import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfCheckout } from '../testing/copyOfCheckout.ts';

const list = 'features/features.ts';
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false'];

/** The compiler does not see whether styles are there. */
const buildConsole = [
  '--input-type=module',
  '--eval',
  "import { buildConsole } from './hack/console/build.ts'; await buildConsole(process.argv[1]);",
];

const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '-i'];
/** Tests that start what the mission needs: the REST API with all that is registered, accounts, controllers, the command line, the console. */
const mission = [
  'apiserver/secrets/secrets.test.ts',
  'apiserver/workspaces/invitations/invitations.test.ts',
  'apiserver/workspaces/tenants.test.ts',
  'console/src/session/session.test.ts',
  'operator/ids/controller.test.ts',
  'cli/apply/apply.test.ts',
];

/** Without the folder of a feature and its line, and with all generated again, everything else fits together and starts. */
export function expectRemovable(feature: string): void {
  const copy = copyOfCheckout();
  try {
    const text = copy.read(list);
    writeFileSync(join(copy.folder, list), text.replace(new RegExp(`^  ${feature}: .*\n`, 'm'), ''));
    expect(copy.read(list)).not.toBe(text);
    rmSync(join(copy.folder, 'features', feature), { recursive: true });
    copy.node('hack/generate/main.ts');
    copy.node(...tsc);
    copy.node(...tsc, '--project', 'console');
    copy.node(...buildConsole, join(copy.folder, 'dist'));
    copy.node(...jest, '--runTestsByPath', ...mission);
  } finally {
    copy.remove();
  }
}
