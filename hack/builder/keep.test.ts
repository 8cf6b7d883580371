import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { dropOtherSources, keepSources } from './keep.ts';

describe('the kept copy of the sources', () => {
  let folder: string;
  let checkout: string;
  let root: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  };
  const keep = () => keepSources(checkout, root);

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-keep-'));
    [checkout, root] = [join(folder, 'checkout'), join(folder, 'kept')];
    write('hack/builder/main.ts', 'main');
    write('hack/builder/main.test.ts', 'test');
    write('engines/geth/go.mod', 'module');
    write('docs/page.md', 'page');
    write('package-lock.json', '{}');
    write('.gitignore', 'node_modules\n*.log\n');
    write('hack/a.log', 'ignored');
    write('node_modules/one/index.js', 'one');
    mkdirSync(join(checkout, 'node_modules', '.bin'));
    symlinkSync('../one/index.js', join(checkout, 'node_modules', '.bin', 'one'));
    execFileSync('git', ['init', '--quiet'], { cwd: checkout });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has what the builder needs, without tests and what git ignores', async () => {
    const kept = await keep();
    expect(readFileSync(join(kept, 'hack/builder/main.ts'), 'utf8')).toBe('main');
    expect(existsSync(join(kept, 'engines/geth/go.mod'))).toBe(true);
    for (const path of ['hack/builder/main.test.ts', 'docs/page.md', 'hack/a.log'])
      expect(existsSync(join(kept, path))).toBe(false);
  });

  it('has the modules, as links that take no space', async () => {
    const kept = await keep();
    const [own, theirs] = [kept, checkout].map((at) => statSync(join(at, 'node_modules/one/index.js')));
    expect(own?.ino).toBe(theirs?.ino);
    expect(lstatSync(join(kept, 'node_modules/.bin/one')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(kept, 'node_modules/.bin/one'), 'utf8')).toBe('one');
  });

  it('stays when the checkout changes or goes away', async () => {
    const kept = await keep();
    write('hack/builder/main.ts', 'another');
    rmSync(join(checkout, 'node_modules'), { recursive: true });
    expect(readFileSync(join(kept, 'hack/builder/main.ts'), 'utf8')).toBe('main');
    expect(readFileSync(join(kept, 'node_modules/one/index.js'), 'utf8')).toBe('one');
  });

  it('is the same for the same sources, and another one for others', async () => {
    const kept = await keep();
    expect(await keep()).toBe(kept);
    write('docs/page.md', 'another');
    expect(await keep()).toBe(kept);
    write('engines/geth/main.go', 'package main');
    expect(await keep()).not.toBe(kept);
  });

  it('is the only one once it is used', async () => {
    const former = await keep();
    write('hack/builder/main.ts', 'another');
    const kept = await keep();
    mkdirSync(`${former}.1.new`);
    dropOtherSources(kept, root);
    expect(readdirSync(root).map((name) => join(root, name))).toEqual([kept]);
  });
});
