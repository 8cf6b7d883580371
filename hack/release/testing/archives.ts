import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createArchive } from '../../images/archive.ts';
import { parseRegistry } from '../../images/registry/reference.ts';
import type { TestRegistry } from '../../testing/registry.ts';
import type { Release } from '../images.ts';
import type { ReleaseImage } from '../names.ts';

/** Small images that stand for those of a release, whose builds take an hour. */
export interface StandIns {
  build(name: ReleaseImage): Promise<string>;
  /** The images that were asked for, in order. */
  built: ReleaseImage[];
  /** The digest of each image's configuration, which names its layers. */
  ids: Map<string, string>;
}

export function createStandIns(folder: string): StandIns {
  const built: ReleaseImage[] = [];
  const ids = new Map<string, string>();
  return {
    built,
    ids,
    async build(name) {
      built.push(name);
      const files = [{ path: '/etc/name', content: Buffer.from(name) }];
      const { tar, id } = createArchive(`localhost/slipway/${name}:1`, files, { command: ['/x'] });
      const path = join(folder, `${name}.tar`);
      writeFileSync(path, tar);
      ids.set(name, id);
      return path;
    },
  };
}

/** A release into a folder of a test's registry. */
export function testRelease(registry: TestRegistry, path: string, version: string): Release {
  return {
    version,
    revision: 'a'.repeat(40),
    repository: 'Team/slipway',
    registry: parseRegistry(`${registry.host}/${path}`),
  };
}
