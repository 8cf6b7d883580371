import { engineNames } from '../../core/api/engines.ts';
import { ownEngines } from '../up/heavyEngines.ts';

interface Surroundings {
  /** The engines whose images were built here. */
  built: readonly string[];
  /** Whether the cluster can pull images of public projects. */
  canPull: boolean;
}

/** Those that `make up` names itself. */
const named: readonly string[] = ['evm-dev', 'service'];

/**
 * The engines to which the chart gives no image, so that what is available counts: those without a published image, those that
 * were built here, and where nothing can be pulled, all.
 */
export function unnamedEngines({ built, canPull }: Surroundings): string[] {
  return engineNames.filter(
    (name) =>
      !named.includes(name) && (!canPull || built.includes(name) || ownEngines.some((own) => own === name)),
  );
}
