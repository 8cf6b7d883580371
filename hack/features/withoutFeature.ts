import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOfCheckout } from '../testing/copyOfCheckout.ts';

const list = 'features/features.ts';
const tsc = ['node_modules/typescript/bin/tsc', '--noEmit', '--incremental', 'false'];

/** Without the folder of a feature and its line, and with all generated again, everything else fits together. */
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
  } finally {
    copy.remove();
  }
}
