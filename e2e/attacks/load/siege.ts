import { readRestarts } from '../../lib/components.ts';
import { watchHealth } from '../../lib/healthWatch.ts';
import { openReplicas, type ReplicaAccess } from '../../lib/replicas.ts';
import type { Fire } from './attacker.ts';
import {
  attackByKey,
  attackByUrl,
  carryOut,
  closeTenant,
  delaysBeside,
  diskBytes,
  etcdBytes,
  type Force,
  openTenant,
  type Tenant,
} from './load.ts';

/** What everybody else may have to wait for. */
const maxDelayMs = 1_500;
const maxHealthMs = 1_000;
const mebibyte = 1024 * 1024;
/** `quota.workspaceStoredMiB` of the chart. */
const maxStored = 256 * mebibyte;
/** The limit of ephemeral storage of the light engine in the chart. */
const maxDisk = 4096 * mebibyte;
const calmMs = 5_000;

/** An attacked tenant, another one, and the replicas. */
export interface Siege {
  attacked: Tenant;
  other: Tenant;
  replicas: ReplicaAccess[];
}

export async function prepareSiege(): Promise<Siege> {
  const [attacked, other, replicas] = await Promise.all([openTenant(), openTenant(), openReplicas()]);
  return { attacked, other, replicas };
}

export async function endSiege({ attacked, other, replicas }: Siege): Promise<void> {
  for (const { close } of replicas) close();
  await Promise.all([attacked, other].map(closeTenant));
}

/**
 * One key of a developer and one public URL are used with `force` each. Expects that another tenant is served meanwhile, that
 * the replicas answer for their health and none ends, and that etcd and the disk grow by no more than the tenant may store.
 */
export async function withstand({ attacked, other, replicas }: Siege, force: Force): Promise<void> {
  expect(replicas.length).toBeGreaterThan(1);
  const attacks = [await attackByKey(attacked, force), await attackByUrl(attacked, force)];
  const calm = await delaysBeside(other, new Promise((resolve) => setTimeout(resolve, calmMs)));
  const [restarts, etcd] = await Promise.all([readRestarts(), etcdBytes()]);
  const health = await watchHealth(replicas);
  const attack = Promise.all(attacks.map(carryOut));
  const busy = await delaysBeside(other, attack);
  const healthMs = await health.end();
  const grown = { etcd: (await etcdBytes()) - etcd, disk: await diskBytes(attacked) };
  const fires = (await attack).map(describe);
  process.stderr.write(`${JSON.stringify({ calm, busy, healthMs, grown, key: fires[0], url: fires[1] })}\n`);
  expect(await readRestarts()).toEqual(restarts);
  expect(Object.values(healthMs).filter((ms) => ms >= maxHealthMs)).toEqual([]);
  expect(busy.p99).toBeLessThan(maxDelayMs);
  expect(grown.etcd).toBeLessThan(maxStored);
  expect(grown.disk).toBeLessThan(maxDisk);
}

const describe = ({ answers, unsent }: Fire) => ({ ...answers, unsent });
