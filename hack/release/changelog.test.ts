import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../lib/paths.ts';
import { sectionOf } from './changelog.ts';

const changelog = `# Changelog

## Unreleased

## 1.10.0 - 2026-02-01

### Added

- Something new.

## 1.1.0

- Something old.

## 1.0.0
`;

describe('the section of a version', () => {
  it.each([
    ['the newest, with a date', '1.10.0', '### Added\n\n- Something new.'],
    ['the prefix of another version', '1.1.0', '- Something old.'],
    ['a section without text', '1.0.0', undefined],
    ['a version that was never released', '2.0.0', undefined],
    ['what is not released yet', 'Unreleased', undefined],
  ])('%s', (_reason, version, expected) => {
    expect(sectionOf(changelog, version)).toBe(expected);
  });
});

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

describe('the version of this checkout', () => {
  const { version } = JSON.parse(read('package.json'));

  it('has release notes', () => {
    expect(sectionOf(read('CHANGELOG.md'), version)).toBeDefined();
  });

  it('is that of the lock file and the chart, whose default image tags follow it', () => {
    const lock = JSON.parse(read('package-lock.json'));
    const chart = parse(read('charts/slipway/Chart.yaml'));
    expect([lock.version, lock.packages[''].version, chart.version, chart.appVersion]).toEqual(
      Array(4).fill(version),
    );
  });
});
