import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { contractPackages } from '../contracts/packages.ts';
import { projectRoot } from '../lib/paths.ts';
import { catalogue, ownCrate, type Tool, type ToolName } from '../tools/catalogue.ts';
import { compilerPackages } from '../up/compilers.ts';
import { heavyEngines, isHeavyEngine, programsOf } from '../up/heavyEngines.ts';
import type { Release } from './images.ts';
import type { ReleaseImage } from './names.ts';

/** Something that is in an image and was made elsewhere. */
export interface Part {
  name: string;
  version: string;
  /** The package URL (https://github.com/package-url/purl-spec), as far as there is one. */
  purl?: string;
}

/**
 * What is in an image, as SPDX 2.3: its base, the programs, and the packages whose code is bundled. What Go and Rust programs are linked
 * of is in the programs themselves, where scanners read it.
 */
export function sbomOf(
  { version, repository, revision }: Release,
  image: ReleaseImage,
  parts: readonly Part[],
): object {
  const packages = [{ name: image, version }, ...parts].map((part: Part, index) => ({
    SPDXID: idOf(index),
    name: part.name,
    versionInfo: part.version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    ...(part.purl ? { externalRefs: [referenceTo(part.purl)] } : {}),
  }));
  const contained = parts.map((_part, index) => ({
    spdxElementId: idOf(0),
    relationshipType: 'CONTAINS',
    relatedSpdxElement: idOf(index + 1),
  }));
  const described = {
    spdxElementId: 'SPDXRef-DOCUMENT',
    relationshipType: 'DESCRIBES',
    relatedSpdxElement: idOf(0),
  };
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${image}-${version}`,
    documentNamespace: `https://github.com/${repository}/sbom/${revision}/${image}`,
    creationInfo: {
      created: new Date().toISOString().replace(/\.\d+/, ''),
      creators: ['Tool: slipway-release'],
    },
    packages,
    relationships: [described, ...contained],
  };
}

const idOf = (index: number) => `SPDXRef-${index}`;
const referenceTo = (purl: string) => ({
  referenceCategory: 'PACKAGE-MANAGER',
  referenceType: 'purl',
  referenceLocator: purl,
});

/** What is in an image of this checkout, whose bundles were built. */
export function partsOfImage(image: ReleaseImage): Part[] {
  return [baseOf(image), ...contentsOf(image)];
}

function contentsOf(image: ReleaseImage): Part[] {
  if (image === 'service') {
    return [...noticedIn('dist/service/licences/packages.txt'), ...contractPackages.map(npmPart)];
  }
  if (image === 'compilers')
    return [...noticedIn('dist/compilers/licences.txt'), ...compilerPackages.map(npmPart)];
  if (image === 'evm-dev') return [anvil(), ...programParts('launcher')];
  return isHeavyEngine(image) ? programsOf(image).flatMap(programParts) : [];
}

/** The packages that a file of licences names (hack/lib/notices.ts). */
function noticedIn(file: string): Part[] {
  const text = readFileSync(join(projectRoot, file), 'utf8');
  return [...text.matchAll(/^(@?[\w./-]+) (\d[\w.+-]*) \([^)\n]+\)$/gm)].map(([, name = '', version = '']) =>
    npmPart({ name, version }),
  );
}

function npmPart({ name, version }: { name: string; version: string }): Part {
  return { name, version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` };
}

function anvil(): Part {
  const { devDependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  return npmPart({ name: '@foundry-rs/anvil', version: devDependencies['@foundry-rs/anvil'] });
}

function programParts(program: ToolName): Part[] {
  const tool: Tool = catalogue[program];
  const { version } = tool;
  if ('npmPackage' in tool)
    return [npmPart({ name: tool.npmPackage, version: tool.packageVersion ?? version.slice(1) })];
  if ('debianPackages' in tool) {
    return tool.debianPackages.map((name) => ({
      name,
      version: 'bookworm',
      purl: `pkg:deb/debian/${name}?distro=bookworm`,
    }));
  }
  const own = { name: program, version };
  if ('crate' in tool && tool.crate !== ownCrate) {
    return [{ name: tool.crate, version, purl: `pkg:cargo/${tool.crate}@${version.slice(1)}` }];
  }
  if ('goPackage' in tool && !tool.goPackage.startsWith('.')) {
    return [{ name: tool.goPackage, version, purl: `pkg:golang/${tool.goPackage}@${version}` }];
  }
  return [own];
}

/** The public image that a Dockerfile names. */
function baseOf(image: ReleaseImage): Part {
  const [, name = '', tag = '', digest = ''] =
    /^ARG \w+_IMAGE=([\w./-]+):([\w.-]+)@(sha256:[0-9a-f]{64})$/m.exec(
      readFileSync(dockerfileOf(image), 'utf8'),
    ) ?? [];
  if (!name) throw new Error(`${relative(projectRoot, dockerfileOf(image))} pins no base`);
  return { name, version: tag, purl: `pkg:docker/${name}@${digest}?tag=${tag}` };
}

function dockerfileOf(image: ReleaseImage): string {
  if (image === 'service') return join(projectRoot, 'Dockerfile');
  return isHeavyEngine(image)
    ? heavyEngines[image].dockerfile
    : join(projectRoot, 'engines', image, 'Dockerfile');
}
