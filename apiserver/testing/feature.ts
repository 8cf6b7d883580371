import type { Row } from './tenantRow.ts';
import type { Walk } from './walk.ts';

/** What the tests of the API server ask of a feature. It is exported as `feature` by the testing/feature.ts of its folder. */
export interface TestFeature {
  /** How its operations refer to objects. */
  tenantRows: Readonly<Record<string, Row>>;
  /** What is written at one replica and read at another, by what it is. */
  walks?: Readonly<Record<string, (walk: Walk) => Promise<void>>>;
}
