import { chainTypes, defaultProfile, hasProfiles, type Profile } from '../api/resources/chainSpecs.ts';
import type { ChainSpec, NetworkResource, NetworkSpec } from '../api/resources/network.ts';

/**
 * "Which engine profile does this network run?", answered in one place. The chain's data belongs to one engine, so a
 * network that has begun keeps its profile when the spec names none: another default is for new networks.
 */
export function profileOf(chain: ChainSpec, status: NetworkResource['status']): Profile | undefined {
  if (!hasProfiles(chain.type)) return undefined;
  return namedProfile(chain) ?? begunProfile(chain, status) ?? defaultProfile;
}

/** The profile that the network's chain began with; undefined before it began. */
export function begunProfile(chain: ChainSpec, status: NetworkResource['status']): Profile | undefined {
  const { incarnation } = status ?? {};
  if (!incarnation || !hasProfiles(chain.type)) return undefined;
  const { members, profile } = incarnation;
  // Before the profile was recorded it was `light` unless the spec named it.
  return profile ?? (members[profilePath(chain)] === undefined ? 'light' : 'real');
}

/** The path of the profile in a spec of this type. */
export function profilePath({ type }: Pick<ChainSpec, 'type'>): string {
  return `spec.chain.${chainTypes[type].member}.profile`;
}

/** The spec with the profile that the network runs, where it names none and that is not the default. */
export function withProfile<Spec extends Pick<NetworkSpec, 'chain'>>(
  spec: Spec,
  status: NetworkResource['status'],
): Spec {
  const { chain } = spec;
  const profile = profileOf(chain, status);
  if (profile === defaultProfile || profile === namedProfile(chain)) return spec;
  const { member } = chainTypes[chain.type];
  return { ...spec, chain: { ...chain, [member]: { ...chain[member], profile } } };
}

function namedProfile(chain: ChainSpec): Profile | undefined {
  const spec = chain[chainTypes[chain.type].member];
  return spec && 'profile' in spec ? spec.profile : undefined;
}
