import { libraryEntries } from '../../images/libraries.ts';
import { buildScratchImage, fileEntry } from '../../images/scratch.ts';
import type { BuiltImage } from '../../images/store.ts';
import { catalogue } from '../../tools/catalogue.ts';
import { ensureTools } from '../../tools/ensure.ts';
import { requireCommand } from './setup/packages.ts';

/** Images for the cluster's system pods; each contains only a program from this machine. */
export interface SystemImages {
  pause: BuiltImage;
  coredns: BuiltImage;
  skipper: BuiltImage;
  provisioner: BuiltImage;
  helper: BuiltImage;
}

const name = (program: string, tag: string) => `localhost/slipway/${program}:${tag}`;

/** Builds the images or takes them from the cache; builds their programs first when they are missing. */
export async function buildSystemImages(): Promise<SystemImages> {
  const tools = await ensureTools(['coredns', 'skipper', 'local-path-provisioner']);
  return {
    pause: await pauseImage(),
    coredns: await programImage('coredns', catalogue.coredns.version, tools.coredns),
    skipper: await skipperImage(),
    provisioner: await programImage(
      'local-path-provisioner',
      catalogue['local-path-provisioner'].version,
      tools['local-path-provisioner'],
    ),
    helper: await helperImage(),
  };
}

/** The ingress controller with our additions. */
async function skipperImage(): Promise<BuiltImage> {
  const { skipper } = await ensureTools(['skipper']);
  return programImage('skipper', catalogue.skipper.version, skipper);
}

/** The ingress controller as its project publishes it, which can be had without Go. */
export async function skipperReleaseImage(): Promise<BuiltImage> {
  const { 'skipper-release': path } = await ensureTools(['skipper-release']);
  return programImage('skipper', `${catalogue['skipper-release'].version}-release`, path);
}

function programImage(program: string, tag: string, path: string): Promise<BuiltImage> {
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
