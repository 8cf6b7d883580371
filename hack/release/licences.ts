import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { licenceFolder } from '../contracts/licences.ts';
import { UserError } from '../lib/run.ts';
import { tryDownload } from '../tools/download.ts';

const revision = '0f598023ccbfa14164076563a2a257d4a7f808af';
const sha256 = '3d4db8501bee378a0da0b8ee497b1857677f267f0db45f2d9db63f2fcd7a78d9';

/** LZBL-1.2 wants its text on every copy that is passed on, and the package of LayerZero's contracts does not have it. */
const layerZeroLicence = {
  url: `https://raw.githubusercontent.com/LayerZero-Labs/LayerZero-v2/${revision}/LICENSE-LZBL-1.2`,
  checksums: { 'linux-amd64': sha256, 'linux-arm64': sha256 },
};

/** Adds LayerZero's licence to those in the service image. Throws UserError when it cannot be downloaded. */
export async function addLayerZeroLicence(): Promise<void> {
  const folder = licenceFolder('@layerzerolabs/lz-evm-protocol-v2');
  mkdirSync(folder, { recursive: true });
  if (await tryDownload(layerZeroLicence, join(folder, 'LICENSE-LZBL-1.2'))) return;
  throw new UserError(
    `${layerZeroLicence.url} cannot be downloaded: without the text, layerzero.json in the service image may not be passed on`,
  );
}
