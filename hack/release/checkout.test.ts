import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releasedCheckout, releaseRegistry } from './checkout.ts';

let folder: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder });
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

describe('a checkout is a release', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-checkout-'));
    git('init', '--quiet');
    write('package.json', '{ "version": "1.2.3" }');
    write('.gitignore', 'dist\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'all');
    git('tag', 'v1.2.3');
    git('remote', 'add', 'origin', 'https://github.com/Team/Slip.way.git');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('when it is clean at the tag of its version', async () => {
    git('tag', 'other');
    write('dist', 'ignored');
    expect(await releasedCheckout(folder)).toEqual({
      version: '1.2.3',
      revision: git('rev-parse', 'HEAD').toString().trim(),
      repository: 'Team/Slip.way',
    });
  });

  it.each([
    ['a file is changed', () => write('.gitignore', 'dist\nother\n')],
    ['a file is new', () => write('new.ts', '')],
    ['a commit follows', () => git('commit', '--quiet', '--allow-empty', '--message', 'next')],
    ['the tag is of another version', () => git('tag', '--delete', 'v1.2.3') && git('tag', 'v1.2.4')],
    ['it has no git', () => rmSync(join(folder, '.git'), { recursive: true })],
  ])('but not when %s', async (_what, change) => {
    change();
    expect(await releasedCheckout(folder)).toBeUndefined();
  });

  it.each([
    ['git@github.com:team/slipway.git', 'team/slipway'],
    ['ssh://git@github.com/team/slipway', 'team/slipway'],
    ['https://token@github.com/team/slipway', 'team/slipway'],
    ['https://git.example.com/team/slipway', undefined],
    ['https://git.example.com/github.com/team/slipway', undefined],
  ])('of the repository that its origin names: %s', async (url, repository) => {
    git('remote', 'set-url', 'origin', url);
    expect((await releasedCheckout(folder))?.repository).toBe(repository);
  });
});

describe('the registry of a release', () => {
  afterEach(() => {
    delete process.env.RELEASE_REGISTRY;
  });

  it('is with its repository, in lower case, unless another one is named', () => {
    expect(releaseRegistry('Team/Slipway')).toBe('ghcr.io/team/slipway');
    expect(releaseRegistry(undefined)).toBeUndefined();
    process.env.RELEASE_REGISTRY = 'registry.example/slipway';
    expect(releaseRegistry('Team/Slipway')).toBe('registry.example/slipway');
  });
});
