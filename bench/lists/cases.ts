/** One query for both sides: a REST selector and the kube-apiserver queries with the same result. */
export interface Case {
  name: string;
  selector: string | undefined;
  /** Several where kube-apiserver cannot express it in one query; they run in parallel and are merged by name. */
  raw: Record<string, string>[];
}

const byField = (fieldSelector: string) => ({ fieldSelector });
const byLabel = (labelSelector: string) => ({ labelSelector });

/** No selector, and each operator on each selectable field. Label selectors have an IN operator, field selectors do not. */
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
