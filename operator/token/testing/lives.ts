import type { TokenResource } from '../../../core/api/resources/tokenResource.ts';
import type { Kube } from '../../../core/kube/kube.ts';
import type { ChainScene } from '../../../core/outbox/testing/scene.ts';
import { isDeployed, startTokenOperator } from './operator.ts';
import type { Reaper } from './reaper.ts';

/** More lives than any deployment takes: each ends at a write of its own. */
const mostLives = 3000;

/** Runs one operator after the other until the token is deployed; returns how many there were. */
export async function deployThroughDeaths(
  { kube, scene, reaper }: { kube: Kube; scene: ChainScene; reaper: Reaper },
  name: string,
): Promise<{ lives: number; token: TokenResource }> {
  for (let lives = 1; lives <= mostLives; lives += 1) {
    const life = reaper.begin(kube);
    const operator = await startTokenOperator(life.kube, scene, life.surroundings);
    const over = new AbortController();
    const reached = operator.reach(name, isDeployed, over.signal).catch(() => undefined);
    await Promise.race([life.died, reached]);
    over.abort();
    const token = await reached;
    await operator.stop({ isDead: life.isDead() });
    if (token && !life.isDead()) return { lives, token };
  }
  throw new Error(`${name} was not deployed within ${mostLives} lives`);
}
