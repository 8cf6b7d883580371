import type { Alert } from './alert.ts';
import type { Panel } from './panel.ts';

/** What a feature adds to alerts and the dashboard. It is exported as `feature` by the monitoring/feature.ts of its folder. */
export interface MonitoringFeature {
  alerts?: readonly Alert[];
  /** Each at the end of a row, which is named by its title. */
  panels?: readonly (Panel & { row: string })[];
}
