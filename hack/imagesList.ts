import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { imagesOf, inMirror } from './chart/images.ts';
import { renderChart } from './chart/render.ts';
import { runProgram } from './lib/program.ts';
import { UserError } from './lib/run.ts';
import { ensureTools } from './tools/ensure.ts';

/**
 * `node hack/imagesList.ts`: prints every image that an installation with the values in `VALUES` uses, and for what. `CHART` names
 * another chart than that of this checkout, such as the archive of a release. With a `MIRROR`, prints where each goes there instead, and the value that makes the chart take it from there.
 */
async function main(): Promise<void> {
  await ensureTools(['helm']);
  const values = readValues(process.env.VALUES);
  const mirror = (process.env.MIRROR || String(values.imageRegistry ?? '')).replace(/\/+$/, '');
  const images = imagesOf(await renderChart({ ...values, imageRegistry: '' }, process.env.CHART));
  for (const { image, uses } of images) {
    console.log(mirror ? `${image} ${inMirror(mirror, image)}` : `${image}  ${uses.join(', ')}`);
  }
  console.log(
    mirror
      ? `# values: imageRegistry: ${mirror}`
      : '# MIRROR=mirror.example.com/team make images-list prints where each goes in a mirror.',
  );
}

function readValues(file: string | undefined): Record<string, unknown> {
  if (!file) return {};
  try {
    return parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    throw new UserError(`The values file VALUES=${file} cannot be read: ${String(error)}`);
  }
}

runProgram(main);
