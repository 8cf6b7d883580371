import { type StepOwner, stepId } from '../../../deploy/steps.ts';
import { type PluginStepsInput, pluginScope } from '../../plugin.ts';

export type StepsInput = PluginStepsInput<'vrf'>;

/** The service signs: it owns the contracts, as Chainlink does on public chains. */
export function ownerOf({ network }: StepsInput): StepOwner {
  return { network, scope: pluginScope('vrf', network), signer: 'service' };
}

export const idOf = ({ network }: StepsInput, name: string) => stepId(network, name);
