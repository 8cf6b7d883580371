import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { plugins } from '../../core/plugins/registry.ts';
import { exampleOf, pagesOfPlugins } from './examples.ts';
import { projectRoot } from './paths.ts';

it('each plugin has a page with an example', () => {
  const pages = readdirSync(join(projectRoot, 'docs', 'plugins')).map((file) => file.replace('.md', ''));
  expect(pages.sort()).toEqual([...pagesOfPlugins]);
  expect(Object.keys(plugins).sort()).toEqual([...pagesOfPlugins]);
});

describe.each(pagesOfPlugins)('the example of %s', (page) => {
  const script = exampleOf(page);

  it('is a bash script, with the files that it uses', () => {
    execFileSync('bash', ['-n'], { input: script });
    expect(script).toContain(`\nstart ${page}\n`);
    const written = new Set([...script.matchAll(/^cat > (\S+) <</gm)].map(([, file]) => file));
    for (const file of script.match(/\b(src\/Consumer\.sol|app\.js)\b/g) ?? [])
      expect(written).toContain(file);
  });

  it('names values of the status that the plugin reports', () => {
    const asked = [...script.matchAll(/\$\((?:address|value) (\w+)\)/g)].map(([, name]) => name ?? '');
    const source = execFileSync('git', ['grep', '-hoE', '\\b\\w+\\b', '--', `core/plugins/${page}`], {
      cwd: projectRoot,
      maxBuffer: 64 * 1024 * 1024,
    });
    const words = new Set([...source.toString().split('\n'), 'credentials']);
    for (const name of asked) expect(words).toContain(name);
  });
});
