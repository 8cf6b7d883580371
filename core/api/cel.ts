/** A rule that kube-apiserver checks in addition to the schema (x-kubernetes-validations). */
export interface CelRule {
  rule: string;
  message: string;
  /** What to say instead of `message`, in CEL. */
  messageExpression?: string;
  /** The invalid member, relative to the schema with the rule: `.ethereum`. */
  fieldPath?: string;
  reason?: 'FieldValueRequired' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueDuplicate';
}

/** Metadata that adds `rules` to a schema in the custom resource definition. */
export function withRules(...rules: CelRule[]): { 'x-kubernetes-validations': CelRule[] } {
  return { 'x-kubernetes-validations': rules };
}

/** Metadata for an array whose entries are identified by `keys`: several field managers may each own some of them. */
export function listMap(...keys: string[]) {
  return { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

/** Metadata for an array of scalars without duplicates. */
export const listSet = { 'x-kubernetes-list-type': 'set' } as const;

/** A member that is required whenever `condition` holds. */
export function requiredWhen(condition: string, member: string, message: string): CelRule {
  const rule = `!(${condition}) || has(self.${member})`;
  return { rule, message, fieldPath: `.${member}`, reason: 'FieldValueRequired' };
}

/**
 * A member that must be absent whenever `condition` holds. It is looked for first: each value that a rule reads costs
 * kube-apiserver as much as all members that the schema of its object has, and most members are absent.
 */
export function forbiddenWhen(condition: string, member: string, message: string): CelRule {
  const rule = `!has(self.${member}) || !(${condition})`;
  return { rule, message, fieldPath: `.${member}`, reason: 'FieldValueForbidden' };
}

/** A required member that must keep its initial value. */
export function immutable(member: string, path: string): CelRule {
  return {
    rule: `self.${member} == oldSelf.${member}`,
    message: `${path} is immutable`,
    fieldPath: `.${member}`,
    reason: 'FieldValueInvalid',
  };
}
