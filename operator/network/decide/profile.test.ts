import type { NetworkResource } from '../../../core/api/resources/network.ts';
import { allEngines } from '../../../core/chains/ethereum/testing/planInput.ts';
import type { Stored } from '../../../core/kube/kube.ts';
import type { Pod } from '../../../core/kube/types.ts';
import { aNetwork, factsOf } from '../testing/facts.ts';
import { decide } from './decide.ts';

function solana(spec: object, status?: NetworkResource['status']): Stored<NetworkResource> {
  return aNetwork({}, { spec: { chain: { type: 'Solana', solana: spec } }, ...(status ? { status } : {}) });
}

const begun = (profile: object): NetworkResource['status'] => ({
  state: 'Operational',
  incarnation: { number: 0, members: {}, revision: 0, startedAt: '2030-01-01T00:00:00Z', ...profile },
});

/** The images that the network's pods are to run, and the incarnation that the status then has. */
function outcomeOf(network: Stored<NetworkResource>) {
  const { children = [], status } = decide(factsOf(network, { engineSet: allEngines }));
  const pods = children.filter(({ kind }) => kind === 'Pod') as Pod[];
  const images = pods.flatMap(({ spec }) => spec.containers.map(({ image }) => image));
  return { images, incarnation: status.incarnation };
}

describe('the engine profile of a network', () => {
  it.each<[string, object, NetworkResource['status'], string, string, number]>([
    ['new, with the default', {}, undefined, 'solana-dev:1', 'light', 0],
    ['new, with a profile of its own', { profile: 'real' }, undefined, 'solana:1', 'real', 0],
    ['that has begun with another than the default', {}, begun({ profile: 'real' }), 'solana:1', 'real', 0],
    ['that has begun before profiles were recorded', {}, begun({}), 'solana-dev:1', 'light', 0],
    ['whose profile changes', { profile: 'real' }, begun({ profile: 'light' }), 'solana:1', 'real', 1],
  ])('is recorded when it begins, and lasts: one %s', (_which, spec, status, image, profile, number) => {
    expect(outcomeOf(solana(spec, status))).toMatchObject({
      images: [image],
      incarnation: { profile, number },
    });
  });
});
