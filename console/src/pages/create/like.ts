import type { Network, NetworkCreate } from '../../../../sdk/src/generated/types.ts';
import { documentOf } from '../change/document.ts';
import { isSame } from '../change/merge.ts';
import { formOf } from '../change/specForm.ts';
import { type NetworkForm, toBody } from './form.ts';

interface Start {
  form: NetworkForm;
  /** The request body, where the form does not show all of it. */
  json?: string;
}

/** What the page begins with for a network like another one: its settings, without its name and what was asked of it. */
export function startLike(network: Network): Start {
  const document = documentOf(network);
  const { maintenanceRequest: _request, accessKeyRotation: _rotation, ...spec } = document.spec;
  const form = { ...formOf({ ...document, spec }), members: membersOf(network) };
  const { labels } = document;
  const body: NetworkCreate = {
    name: '',
    ...(Object.keys(labels).length > 0 ? { metadata: { labels } } : {}),
    spec,
  };
  const isShown = isSame({ ...toBody(form), name: '' }, body);
  return isShown ? { form } : { form, json: JSON.stringify(body, null, 2) };
}

function membersOf({ spec: { chain } }: Network): string[] {
  return chain.layerzero?.networks?.flatMap(({ networkRef }) => networkRef?.name ?? []) ?? [];
}
