import type { NetworkSpec } from '../../../../sdk/src/generated/types.ts';
import { chainTypes, memberOf } from '../../lib/chains.ts';
import { emptyForm, type NetworkForm, toBody } from '../create/form.ts';
import { isObject, type NetworkDocument } from './document.ts';
import { merge } from './merge.ts';

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What the form shows of a document. */
export function formOf({ labels, spec }: NetworkDocument): NetworkForm {
  const chain = chainOf(spec);
  const forking = isObject(chain.forking) ? chain.forking : {};
  const key = isObject(chain.privateKeyRef) ? textOf(chain.privateKeyRef.name) : '';
  return {
    ...emptyForm,
    type: chainTypes.find((one) => one === spec.chain.type) ?? emptyForm.type,
    key: key === '' ? { mode: 'none' } : { mode: 'existing', name: key },
    profile: chain.profile === 'real' || chain.profile === 'light' ? chain.profile : '',
    chainID: textOf(chain.chainID),
    blockTime: textOf(chain.blockTime),
    gasLimit: textOf(chain.gasLimit),
    history: textOf(chain.history),
    isFork: forking.enabled === true,
    forkBlock: textOf(forking.blockHeight) || emptyForm.forkBlock,
    plugins: isObject(chain.plugins) ? Object.keys(chain.plugins) : [],
    accountBalance: textOf(chain.accountBalance),
    bondAmount: textOf(chain.bondAmount),
    from: spec.from?.snapshot ?? '',
    isPersistent: spec.persistent ?? false,
    idleAfter: spec.idleAfter ?? '',
    expiresAfter: spec.expiresAfter ?? '',
    labels: Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(', '),
  };
}

/** The settings of the chain, in the member named after its type. */
function chainOf({ chain }: NetworkSpec): Record<string, unknown> {
  const member = Object.entries(chain).find(([name]) => name === memberOf(chain.type))?.[1];
  return isObject(member) ? member : {};
}

/** A document with what was changed in its form. What the form does not show stays. */
export function withForm(document: NetworkDocument, form: NetworkForm): NetworkDocument {
  const [before, after] = [shownBy(formOf(document)), shownBy(form)];
  const merged = merge({ base: before, theirs: document, mine: after }, () => 'mine');
  return merged as NetworkDocument;
}

function shownBy(form: NetworkForm): NetworkDocument {
  const { metadata, spec } = toBody(form);
  return { labels: metadata?.labels ?? {}, spec };
}
