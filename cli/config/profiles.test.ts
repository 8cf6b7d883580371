import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCli, type TestCli } from '../testing/run.ts';
import { profilesPath, readProfiles, writeProfiles } from './profiles.ts';
import { cleanUrl, readSettings } from './settings.ts';

let home: string;
let path: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'slipway-profiles-'));
  path = join(home, '.config', 'slipway', 'slipway.json');
});
afterEach(() => rm(home, { recursive: true, force: true }));

const profiles = {
  a: { url: 'https://a.example', apiKey: 'id.secret' },
  b: { url: 'https://b.example', apiKey: 'b.b' },
};

it.each([
  ['SLIPWAY_CONFIG names the file', { SLIPWAY_CONFIG: '/x.json', XDG_CONFIG_HOME: '/xdg' }, '/x.json'],
  ['XDG_CONFIG_HOME names the folder', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/slipway/slipway.json'],
  ['otherwise it is in .config', {}, '/home/u/.config/slipway/slipway.json'],
])('%s', (_what, env, expected) => {
  expect(profilesPath({ env, home: '/home/u' })).toBe(expected);
});

it('the file is written for its owner alone, in one step, and read back', async () => {
  await writeProfiles(path, { current: 'a', profiles });
  await writeProfiles(path, { current: 'b', profiles });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(home, '.config', 'slipway'))).mode & 0o077).toBe(0);
  expect(await readdir(join(home, '.config', 'slipway'))).toEqual(['slipway.json']);
  expect(await readProfiles(path)).toEqual({ current: 'b', profiles });
});

describe('a link to the file stays one, and its target', () => {
  let target: string;
  beforeEach(async () => {
    target = join(home, 'dotfiles', 'slipway.json');
    await mkdir(join(home, '.config', 'slipway'), { recursive: true });
    await symlink('../../dotfiles/slipway.json', path);
  });

  it.each([
    ['is replaced', true],
    ['is created', false],
  ])('%s', async (_what, exists) => {
    if (exists) await writeProfiles(target, { profiles: {} });
    await writeProfiles(path, { current: 'a', profiles });
    expect((await lstat(path)).isSymbolicLink()).toBe(true);
    expect((await lstat(target)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(home, 'dotfiles'))).toEqual(['slipway.json']);
    expect(await readProfiles(path)).toEqual({ current: 'a', profiles });
  });
});

it('a file that cannot be written is named, with what to check', async () => {
  await writeFile(join(home, 'file'), '');
  const inFile = join(home, 'file', 'slipway.json');
  await expect(writeProfiles(inFile, { profiles })).rejects.toThrow(`${inFile} cannot be written: `);
});

it.each([0o644, 0o640, 0o604])(
  'a file with mode %o is refused, and the message says what to do',
  async (mode) => {
    await writeProfiles(path, { profiles });
    await chmod(path, mode);
    await expect(readProfiles(path)).rejects.toThrow(`${path} has mode ${mode.toString(8)}: others can read`);
  },
);

it('on Windows, which has no modes, the file is read as it is', async () => {
  await writeProfiles(path, { profiles });
  await chmod(path, 0o666);
  expect(await readProfiles(path, 'win32')).toEqual({ profiles });
});

it.each(['no JSON', '[]', '{"profiles": {"a": {"url": 1}}}'])(
  'a damaged file is refused: %s',
  async (text) => {
    await writeProfiles(path, { profiles });
    await writeFile(path, text);
    await expect(readProfiles(path)).rejects.toThrow(/ is damaged: /);
  },
);

describe('which settings count', () => {
  beforeEach(() => writeProfiles(path, { current: 'a', profiles }));
  const settings = (env: Record<string, string>, choice = {}) => readSettings({ env, home, ...choice });

  it('the current profile, or the one that is named', async () => {
    expect(await settings({})).toMatchObject({ url: 'https://a.example', apiKey: 'id.secret', profile: 'a' });
    expect(await settings({ SLIPWAY_PROFILE: 'b' })).toMatchObject({ profile: 'b' });
    expect(await settings({ SLIPWAY_PROFILE: 'b' }, { profile: 'a' })).toMatchObject({ profile: 'a' });
    await expect(settings({ SLIPWAY_PROFILE: 'c' })).rejects.toThrow('There is no profile "c"');
  });

  it('the environment before the profile', async () => {
    const env = { SLIPWAY_URL: 'https://c.example/', SLIPWAY_API_KEY: 'c.c', SLIPWAY_WORKSPACE: 'w' };
    expect(await settings(env)).toEqual({ url: 'https://c.example', apiKey: 'c.c', given: 'w' });
    expect(await settings({ SLIPWAY_API_KEY: 'c.c' })).toMatchObject({
      url: 'https://a.example',
      apiKey: 'c.c',
    });
  });

  it('a profile that the command line names before the environment', async () => {
    const env = { SLIPWAY_URL: 'https://c.example', SLIPWAY_API_KEY: 'c.c', SLIPWAY_WORKSPACE: 'w' };
    expect(await settings(env, { profile: 'b' })).toEqual({ ...profiles.b, given: 'w', profile: 'b' });
    expect(await settings({ ...env, SLIPWAY_PROFILE: 'b' })).toMatchObject({ url: 'https://c.example' });
  });

  it('the key of a profile is not sent to another address', async () => {
    await expect(settings({ SLIPWAY_URL: 'https://evil.example' })).rejects.toThrow(
      'but the profile "a" is for',
    );
    expect(await settings({ SLIPWAY_URL: 'https://a.example/' })).toMatchObject({ apiKey: 'id.secret' });
  });
});

it.each(['ftp://a', 'a.example', 'https://u:p@a.example', 'https://a.example?x=1'])(
  '%s is not an address',
  (text) => {
    expect(() => cleanUrl(text, '--url')).toThrow('--url');
  },
);

describe('commands for profiles', () => {
  let cli: TestCli;
  beforeEach(async () => {
    cli = await createTestCli();
    await writeProfiles(profilesPath({ env: {}, home: cli.home }), { current: 'a', profiles });
  });
  afterEach(() => cli.close());

  it('list shows no keys, use selects one, logout removes it and selects no other', async () => {
    const listed = await cli(['profile', 'list']);
    expect(listed.stdout).toMatch(/^NAME +URL .*\na +https:\/\/a\.example .*yes\nb /);
    expect(listed.stdout).not.toContain('secret');
    await cli(['profile', 'use', 'b']);
    expect((await cli(['logout'])).stderr).toContain('Removed profile "b"');
    const text = await readFile(profilesPath({ env: {}, home: cli.home }), 'utf8');
    expect(JSON.parse(text)).toEqual({ profiles: { a: profiles.a } });
    const { code, stderr } = await cli(['network', 'list']);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/No profile is selected .* slipway profile use/s),
    ]);
    expect((await cli(['profile', 'use', 'b'])).code).toBe(4);
  });

  it('a file that others can read ends every command with 3', async () => {
    await chmod(profilesPath({ env: {}, home: cli.home }), 0o644);
    const { code, stderr } = await cli(['network', 'list']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('Run: chmod 600')]);
  });
});
