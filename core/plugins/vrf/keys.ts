import { computeAddress } from 'ethers';
import type { PluginInput } from '../plugin.ts';
import type { Point } from './curve.ts';
import { keyHashOf, publicKeyOf, secretKeyOf } from './proof.ts';

type Derive = Pick<PluginInput<'vrf'>, 'deriveSecret'>;

/** The key of the account that sends answers. */
export const accountKeyOf = ({ deriveSecret }: Derive) => deriveSecret('account');

/** The secret of the proving key. */
export const provingSecretOf = ({ deriveSecret }: Derive) => deriveSecret('proving');

export const accountOf = (input: Derive) => computeAddress(`0x${accountKeyOf(input)}`);

export function provingKeyOf(input: Derive): { publicKey: Point; keyHash: string } {
  const publicKey = publicKeyOf(secretKeyOf(provingSecretOf(input)));
  return { publicKey, keyHash: keyHashOf(publicKey) };
}

/** By which the nodes of the committee know each other. */
export const committeeTokenOf = ({ deriveSecret }: Derive) => deriveSecret('committee');
