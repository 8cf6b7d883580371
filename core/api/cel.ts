/** A rule that kube-apiserver checks beside the schema (x-kubernetes-validations). */
export interface CelRule {
  rule: string;
  message: string;
  /** Member that is to blame, from where the rule stands: `.ethereum`. */
  fieldPath?: string;
  reason?: 'FieldValueRequired' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueDuplicate';
}

/** Metadata for a schema that carries `rules` into the custom resource definition. */
export function withRules(...rules: CelRule[]): { 'x-kubernetes-validations': CelRule[] } {
  return { 'x-kubernetes-validations': rules };
}

/** Metadata for an array whose entries are told apart by `keys`: two appliers may each own some of them. */
export function listMap(...keys: string[]) {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

/** Metadata for an array of scalars without duplicates. */
export const listSet = { 'x-kubernetes-list-type': 'set' } as const;

/** A member that must be in place whenever `condition` holds. */
export function requiredWhen(condition: string, member: string, message: string): CelRule {
  const rule = `!(${condition}) || has(self.${member})`;
  return { rule, message, fieldPath: `.${member}`, reason: 'FieldValueRequired' };
}

/** A member that must be absent whenever `condition` holds. */
export function forbiddenWhen(condition: string, member: string, message: string): CelRule {
  const rule = `!(${condition}) || !has(self.${member})`;
  return { rule, message, fieldPath: `.${member}`, reason: 'FieldValueForbidden' };
}

/** A required member that keeps the value it was created with. */
export function immutable(member: string, path: string): CelRule {
  return {
    rule: `self.${member} == oldSelf.${member}`,
    message: `${path} never changes`,
    fieldPath: `.${member}`,
    reason: 'FieldValueInvalid',
  };
}
