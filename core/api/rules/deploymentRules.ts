import type { CelRule } from '../cel.ts';

/** A rule of the Token resource that holds for each deployment `d`; `when` is about the token. */
export function eachDeployment(when: string, rule: string, message: string): CelRule {
  return { rule: `!(${when}) || self.deployments.all(d, ${rule})`, message, fieldPath: '.deployments' };
}
