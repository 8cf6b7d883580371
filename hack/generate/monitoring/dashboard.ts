import { type Panel, panels } from './files.ts';

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's variable
const datasource = { type: 'prometheus', uid: '${datasource}' };
const columns = 24;
const perRow = 3;
const height = 8;

/** The dashboard as Grafana imports it. */
export function dashboard(): object {
  return {
    uid: 'slipway',
    title: 'Slipway',
    tags: ['slipway'],
    schemaVersion: 39,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: placed(),
  };
}

function placed(): object[] {
  const shown: object[] = [];
  let y = 0;
  for (const [title, inRow] of Map.groupBy(panels, ({ row }) => row)) {
    shown.push({
      id: shown.length + 1,
      type: 'row',
      title,
      gridPos: { x: 0, y, w: columns, h: 1 },
      panels: [],
    });
    y += 1;
    for (const [index, panel] of inRow.entries()) {
      const width = columns / perRow;
      shown.push(
        toGrafana(panel, shown.length + 1, {
          x: (index % perRow) * width,
          y: y + Math.floor(index / perRow) * height,
          w: width,
          h: height,
        }),
      );
    }
    y += Math.ceil(inRow.length / perRow) * height;
  }
  return shown;
}

function toGrafana({ title, description, unit, queries }: Panel, id: number, gridPos: object): object {
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource,
    gridPos,
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}
