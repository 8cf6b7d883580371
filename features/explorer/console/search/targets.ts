import type { OnChain } from '../../../../console/src/feature.ts';
import { isEvm } from '../../../../console/src/lib/chains.ts';

/** What a page of the explorer shows. */
export type Kind = OnChain['kind'];

export type Family = 'evm' | 'solana' | 'thorchain';

interface Rule {
  pattern: RegExp;
  kinds: readonly Kind[];
}

const number: Rule = { pattern: /^\d{1,20}$/, kinds: ['block'] };
const rules: Record<Family, readonly Rule[]> = {
  evm: [
    number,
    { pattern: /^0x[0-9a-f]{40}$/i, kinds: ['address'] },
    // A hash is that of a transaction, or else of a block.
    { pattern: /^0x[0-9a-f]{64}$/i, kinds: ['tx', 'block'] },
  ],
  solana: [
    number,
    { pattern: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/, kinds: ['tx'] },
    { pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/, kinds: ['address'] },
  ],
  thorchain: [
    number,
    { pattern: /^(0x)?[0-9a-f]{64}$/i, kinds: ['tx'] },
    { pattern: /^[a-z]{2,20}1[02-9ac-hj-np-z]{38,60}$/, kinds: ['address'] },
  ],
};

/** What a text may be, the likeliest first; none if it is nothing of these chains. */
export function targetsOf(family: Family, text: string): OnChain[] {
  const value = text.trim().replace(/^#|(?<=\d)[,_](?=\d{3})/g, '');
  const rule = rules[family].find(({ pattern }) => pattern.test(value));
  return rule ? rule.kinds.map((kind) => ({ kind, value })) : [];
}

export function familyOf(type: string): Family {
  if (isEvm(type)) return 'evm';
  return type === 'Solana' ? 'solana' : 'thorchain';
}
