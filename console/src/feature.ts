import type { AnyRoute } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { Network } from '../../sdk/src/generated/types.ts';

/** A tab of the pages about the workspace. */
interface WorkspaceSection {
  /** Below `/settings`. */
  path: string;
  label: string;
  /** Who sees it; every member if absent. */
  permission?: string;
}

/** What a feature adds to the console. It is exported as `feature` by the console/feature.tsx of its folder. */
export interface ConsoleFeature {
  /** Beside the details of a network. */
  networkCards?: readonly { name: string; Card: ComponentType<{ network: Network }> }[];
  /** Parts of the page of a network; the name is in its URL. */
  networkTabs?: readonly { name: string; label: string; Panel: ComponentType<{ network: Network }> }[];
  /** Where the explorer shows the source of a contract. */
  contractSources?: readonly { name: string; Panel: ComponentType<{ address: string }> }[];
  workspaceRoutes?: readonly AnyRoute[];
  workspaceSections?: readonly WorkspaceSection[];
}
