import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyringFiles } from '../core/accounts/keyring.ts';
import { readForkSettings } from './settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-forks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function settingsWith(sources: object) {
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const defaultWorkspace = { id: 'default', namespace: 'ws' };
  write('config/config.json', JSON.stringify({ publicUrl: 'http://x', defaultWorkspace }));
  write(`keys/${keyringFiles.forks}`, `k1:${Buffer.alloc(32, 1).toString('base64')}`);
  write('sources/fork-sources.json', JSON.stringify(sources));
  const [config, keys, dir] = ['config', 'keys', 'sources'].map((name) => join(folder, name));
  return readForkSettings({ CONFIG_DIR: config, KEYS_DIR: keys, FORK_SOURCES_DIR: dir });
}

it('reads the sources, the keys and the limits, and needs no other key', () => {
  const { sources, keys, forks } = settingsWith({ Base: 'https://m.example/KEY' });
  expect([sources, keys.currentId, forks.concurrent]).toEqual([{ Base: 'https://m.example/KEY' }, 'k1', 32]);
});

it.each([
  ['a WebSocket', { Base: 'wss://m.example/KEY' }, /use an http:\/\/ or https:\/\/ URL/],
  ['no URL', { Base: 'KEY' }, /fork-sources.json is not usable/],
])('refuses a source that is %s, without quoting it', (_case, sources, expected) => {
  expect(() => settingsWith(sources)).toThrow(expected);
  expect(() => settingsWith(sources)).not.toThrow(/KEY/);
});
