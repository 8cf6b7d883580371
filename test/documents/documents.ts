import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../hack/lib/paths.ts';

/** The documents that people write: changes and decisions speak of their time, and generated pages are held by their generators. */
export const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: projectRoot })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !/^(CHANGELOG\.md|docs\/decisions\/)/.test(file))
  .filter((file) => !readFileSync(join(projectRoot, file), 'utf8').startsWith('<!-- Generated'));
