import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../lib/paths.ts';
import { sectionOf } from './changelog.ts';
import { releasedChangelog, versionPlaces, versionsAt, withVersion } from './version.ts';

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

  it.each(versionPlaces.map((place) => [place.file, place] as const))('is that of %s', (file, place) => {
    const found = versionsAt(place, read(file));
    expect(found.length).toBeGreaterThan(0);
    expect([...new Set(found)]).toEqual([version]);
  });

  it('is what the chart takes for its image tags', () => {
    const chart = parse(read('charts/slipway/Chart.yaml'));
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });
});

describe('a release', () => {
  it('moves what is unreleased under its version', () => {
    const released = releasedChangelog('# Changelog\n\n## Unreleased\n\n- News.\n\n## 1.0.0\n', '1.1.0');
    expect(sectionOf(released, '1.1.0')).toBe('- News.');
    expect(sectionOf(released, 'Unreleased')).toBeUndefined();
  });

  it.each(versionPlaces.map((place) => [place.file, place] as const))(
    'writes its version into %s',
    (file, place) => {
      expect([...new Set(versionsAt(place, withVersion(place, read(file), '98.7.6')))]).toEqual(['98.7.6']);
    },
  );
});
