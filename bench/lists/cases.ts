/** A question to both sides: as a selector of REST, and as the queries of kube-apiserver that answer the same. */
export interface Case {
  name: string;
  selector: string | undefined;
  /** More than one where kube-apiserver cannot say it in one: they are sent side by side and merged by name. */
  raw: Record<string, string>[];
}

const byField = (fieldSelector: string) => ({ fieldSelector });
const byLabel = (labelSelector: string) => ({ labelSelector });

/** No selector, and each operator on each selectable field. Field selectors have no IN; label selectors do. */
export const cases: Case[] = [
  { name: 'all', selector: undefined, raw: [{}] },
  ...fieldCases('spec.chain.type', 'Optimism', 'Polygon'),
  ...fieldCases('status.state', 'Operational', 'Error'),
  ...fieldCases('spec.persistent', 'true', 'false'),
  {
    name: 'metadata.ownerID ==',
    selector: 'metadata.ownerID == alice',
    raw: [byLabel('slipway.dev/owner=alice')],
  },
  {
    name: 'metadata.ownerID !=',
    selector: 'metadata.ownerID != alice',
    raw: [byLabel('slipway.dev/owner!=alice')],
  },
  {
    name: 'metadata.ownerID IN',
    selector: 'metadata.ownerID IN (alice, bob)',
    raw: [byLabel('slipway.dev/owner in (alice,bob)')],
  },
];

function fieldCases(field: string, first: string, second: string): Case[] {
  return [
    { name: `${field} ==`, selector: `${field} == ${first}`, raw: [byField(`${field}=${first}`)] },
    { name: `${field} !=`, selector: `${field} != ${first}`, raw: [byField(`${field}!=${first}`)] },
    {
      name: `${field} IN`,
      selector: `${field} IN (${first}, ${second})`,
      raw: [byField(`${field}=${first}`), byField(`${field}=${second}`)],
    },
  ];
}
