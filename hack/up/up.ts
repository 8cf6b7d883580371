import { entriesOf } from '../builder/ahead.ts';
import { kubeOf } from '../builder/local.ts';
import { publish } from '../builder/object.ts';
import { unnamedEngines } from '../builder/unnamed.ts';
import { type Cluster, ensureCluster, optionsFromEnvironment } from '../cluster/ensure.ts';
import { canUseKind } from '../cluster/kind.ts';
import { canPull } from '../images/pull.ts';
import { say, step } from '../lib/progress.ts';
import { together } from '../lib/run.ts';
import { createStages } from '../lib/stages.ts';
import { pullableRelease, pullImages } from '../release/pull.ts';
import { installCli } from './cli.ts';
import { knownKey, type SlipwayEnvironment, writeClusterAccess, writeEnvironment } from './environment.ts';
import { noteForeignCluster } from './foreign.ts';
import {
  archivesOf,
  buildImages,
  type NamedImage,
  type ProjectImages,
  type StagedImages,
  stageImages,
} from './images.ts';
import { pushImages } from './push.ts';
import { keyOfToken, readBootstrapKey, waitForApi } from './ready.ts';
import { ensureNamespace, type HelmTools, installRelease } from './release.ts';
import { linkTools } from './tools.ts';
import { chartValues, forkSourcesOf } from './values.ts';

/** What `bringUp` does, for `createStages`. */
export const installation = ['the cluster', 'the images', 'the chart'];

/**
 * Starts the cluster, builds or pulls the images, installs the chart and waits for the API; skips what is already up to date.
 * `kind` is the value of CLUSTER: auto, kind, native or current. Writes `.slipway/env` and
 * returns its content; signs `.slipway/bin/slipway` in.
 */
export async function bringUp(
  kind: string,
  stages = createStages(installation),
): Promise<SlipwayEnvironment> {
  stages.next();
  const release = (await canUseKind()) ? await pullableRelease() : undefined;
  // Bundling fills the gaps that compiling the cluster's programs leaves.
  const [cluster, staged] = await together(bringUpCluster(kind), stageUnless(release !== undefined));
  noteForeignCluster(cluster.kind === 'current', cluster.kubeconfig);
  writeClusterAccess({ SLIPWAY_URL: urlOf(cluster), KUBECONFIG: cluster.kubeconfig });
  for (const note of cluster.notes) say(`  ${note}`);
  const tools = { ...(await linkTools()), kubeconfig: cluster.kubeconfig };
  stages.next();
  const placed = (release && (await pullImages(release, cluster))) ?? (await placeBuilt(cluster, staged));
  const unnamed = unnamedEngines({
    built: Object.keys(placed.heavy),
    canPull: cluster.kind === 'current' || (await canPull()),
  });
  stages.next();
  await ensureNamespace(tools);
  // First: the chart names none of them.
  await publishEngines(tools, placed);
  await step('installing the chart', async () => {
    const outcome = await installRelease(tools, chartValues(cluster, placed, unnamed));
    if (outcome === 'unchanged') say('  already up to date');
  });
  return connectToApi(cluster, tools);
}

/** The cluster alone, whose pods may reach the fork sources of the environment and of the user's chart values. */
function bringUpCluster(kind: string): Promise<Cluster> {
  const options = optionsFromEnvironment();
  const forkSources = [...options.forkSources, ...forkSourcesOf(process.env.VALUES)];
  return ensureCluster(kind, { ...options, forkSources });
}

async function stageUnless(isPulled: boolean): Promise<StagedImages | undefined> {
  return isPulled ? undefined : stageImages();
}

/** Comes after the cluster, which installs buildah if there is no Docker. */
async function placeBuilt(cluster: Cluster, staged: StagedImages | undefined): Promise<ProjectImages> {
  const context = staged ?? (await stageImages());
  const images = await step('building the images of the service and the engines', () => buildImages(context));
  return placeImages(cluster, images);
}

/** Brings the images to where the cluster's nodes have them from, and returns them as they are named there. */
async function placeImages(cluster: Cluster, images: ProjectImages): Promise<ProjectImages> {
  if (cluster.registry) return pushImages(cluster.registry, images);
  const { heavy, ...others } = images;
  const archives = archivesOf([...Object.values(others), ...Object.values(heavy)]);
  await step('loading the images into the cluster', () => cluster.loadImages(archives));
  return images;
}

/** Makes the engines available that were built here, or that the release has. */
async function publishEngines(
  { kubeconfig }: HelmTools,
  { heavy }: ProjectImages<NamedImage>,
): Promise<void> {
  const kube = kubeOf(kubeconfig);
  await publish(kube, entriesOf(heavy)).finally(() => kube.close());
}

const urlOf = ({ gatewayUrl }: Cluster) => gatewayUrl.replace(/\/+$/, '');

async function connectToApi(cluster: Cluster, tools: HelmTools): Promise<SlipwayEnvironment> {
  const url = urlOf(cluster);
  const keys = [await readBootstrapKey(tools), ...givenKeys()];
  const { keyId, keySecret } = await step(`waiting for the API at ${url}`, () => waitForApi(url, keys));
  const environment = {
    SLIPWAY_URL: url,
    SLIPWAY_API_KEY: `${keyId}.${keySecret}`,
    SLIPWAY_API_KEY_ID: keyId,
    SLIPWAY_API_KEY_SECRET: keySecret,
    KUBECONFIG: cluster.kubeconfig,
  };
  writeEnvironment(environment);
  await installCli(environment);
  return environment;
}

/** Once the first API key is revoked, the user gives another one, which `.slipway/env` keeps. */
function givenKeys() {
  const { SLIPWAY_API_KEY, SLIPWAY_API_TOKEN } = process.env;
  return [SLIPWAY_API_KEY, SLIPWAY_API_TOKEN, knownKey()].map(keyOfToken).filter((key) => key !== undefined);
}
