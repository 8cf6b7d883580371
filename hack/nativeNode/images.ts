import { basename, dirname } from 'node:path';
import { libraryEntries } from '../images/libraries.ts';
import { tryPull } from '../images/pull.ts';
import { buildScratchImage, fileEntry } from '../images/scratch.ts';
import type { BuiltImage } from '../images/store.ts';
import { isBuilt } from '../tools/build.ts';
import { catalogue } from '../tools/catalogue.ts';
import { ensureTools } from '../tools/ensure.ts';
import { requireCommand } from './setup/packages.ts';

/** Images for the cluster's system pods; each contains only a program from this machine. */
export interface SystemImages {
  pause: BuiltImage;
  coredns: BuiltImage;
  ingress: BuiltImage;
  provisioner: BuiltImage;
  helper: BuiltImage;
}

const name = (program: string, tag: string) => `localhost/slipway/${program}:${tag}`;

/** Builds the images or takes them from the cache; gets their programs first when they are missing. */
export async function buildSystemImages(): Promise<SystemImages> {
  const tools = await ensureTools(['coredns', 'ingress']);
  return {
    pause: await pauseImage(),
    coredns: await programImage('coredns', tools.coredns),
    ingress: await programImage('ingress', tools.ingress),
    provisioner: await provisionerImage(),
    helper: await helperImage(),
  };
}

/** Its project publishes images, but no programs. */
async function provisionerImage(): Promise<BuiltImage> {
  const program = 'local-path-provisioner';
  const { version } = catalogue[program];
  const pulled = isBuilt(program)
    ? undefined
    : await tryPull(`rancher/${program}:${version}`, name(program, version));
  return pulled ?? programImage(program, (await ensureTools([program]))[program]);
}

/** The ingress controller of the native node and of kind clusters. */
export async function ingressImage(): Promise<BuiltImage> {
  const { ingress } = await ensureTools(['ingress']);
  return programImage('ingress', ingress);
}

/** Each build of a program has a tag of its own, so that its pods are replaced when it changes. */
function programImage(program: string, path: string): Promise<BuiltImage> {
  const tag = basename(dirname(path)).replace(`${program}-`, '');
  const files = [fileEntry(`/${program}`, path), { path: '/tmp', mode: 0o1777 }];
  return buildScratchImage({ image: name(program, tag), files, entrypoint: [`/${program}`] });
}

/** Holds a pod's namespaces. Debian's catatonit is statically linked and reaps orphaned processes. */
function pauseImage(): Promise<BuiltImage> {
  const files = [fileEntry('/catatonit', requireCommand('catatonit'))];
  return buildScratchImage({
    image: name('pause', '1'),
    files,
    entrypoint: ['/catatonit', '-P'],
    user: '65532:65532',
  });
}

/** A shell with the few commands that create and remove a volume's directory. */
async function helperImage(): Promise<BuiltImage> {
  const commands = ['sh', 'mkdir', 'rm', 'chmod'].map(requireCommand);
  const programs = commands.map((path) => fileEntry(path.replace(/^.*\//, '/bin/'), path));
  return buildScratchImage({
    image: name('helper', '1'),
    files: [...(await libraryEntries(...commands)), ...programs],
    entrypoint: ['/bin/sh'],
  });
}
