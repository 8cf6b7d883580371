import { features as registered } from '../../../features/registry/monitoring.ts';
import type { MonitoringFeature } from './feature.ts';

const features: readonly MonitoringFeature[] = registered;

export const featureAlerts = features.flatMap(({ alerts = [] }) => alerts);
export const featurePanels = features.flatMap(({ panels = [] }) => panels);
export const featureProcesses = features.flatMap(({ processes = [] }) => processes);
