import type { AnyRoute } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import type { Client } from '../../sdk/src/client.ts';
import type { Network } from '../../sdk/src/generated/types.ts';
import type { AddressNames } from './parts/addressNames.ts';
import type { Result } from './search/result.ts';
import type { BrowserSessions } from './session/session.ts';

/** A tab of the pages about the workspace. */
interface WorkspaceSection {
  /** Below `/settings`. */
  path: string;
  label: string;
  /** Who sees it; every member if absent. */
  permission?: string;
}

/** How people sign in, where that is more than pasting an API key. */
interface ConsoleSignIn {
  sessions: BrowserSessions;
  /** What whoever is not signed in sees. */
  Page: ComponentType<{ hasEnded: boolean }>;
  /** Around all pages: it may show something else in their place. */
  Around: ComponentType<{ children: ReactNode }>;
  /** Called before anything is shown or asked for. */
  prepare(): void;
}

/** What people call addresses. */
interface NamesOfAddresses {
  /** Called where all pages are below: empty until the names are known. */
  useNames(): AddressNames;
  /** Where all names are. */
  path: string;
  /** On the page of an address: gives it a name, or another one. */
  Naming: ComponentType<{ address: string }>;
}

/** Something on a chain that has a page. */
export interface OnChain {
  kind: 'block' | 'tx' | 'address';
  value: string;
}

/** What the search finds beside objects and pages. */
export interface Found {
  /** What the text itself says: these come first. */
  onChains: readonly Result[];
  /** What has names. */
  named: readonly Result[];
  /** Whether chains, or the service, are still asked. */
  isLooking: boolean;
}

/** A hook: what a text finds. The network is that of the page. */
export type UseFound = (text: string, networkId: string | undefined) => Found;

/** Pages about the chains of networks. Nothing here wakes a network. */
export interface Explorer {
  label: string;
  /** The page about a chain, or about something on it. */
  pathOf(network: string, target?: OnChain): string;
  /** Called when the search is first opened. */
  loadSearch(): Promise<UseFound>;
  /** The balances of EVM accounts by their addresses, with the symbol of the coin. */
  readBalances(client: Client, network: Network, addresses: readonly string[]): Promise<Balances>;
}

export type Balances = ReadonlyMap<string, string>;

/** What a contract was compiled from. */
interface ContractSource {
  /** The texts of the files by their paths. */
  sources: Readonly<Record<string, string>>;
  abi: unknown;
  compiler: string;
  /** How well it fits what is on the chain. */
  match: string;
}

/** What pages and other features ask for, by `useFeature`. At most one feature has each. */
export interface Asked {
  addressNames?: NamesOfAddresses;
  explorer?: Explorer;
  /** Reads the source of a verified contract. */
  contractSource?: (client: Client, of: { id: string; address: string }) => Promise<ContractSource>;
}

/** What a feature adds to the console. It is exported as `feature` by the console/feature.tsx of its folder. */
export interface ConsoleFeature extends Asked {
  signIn?: ConsoleSignIn;
  /** Pages that show the same to whoever is signed in and whoever is not, by their paths. */
  openPages?: Readonly<Record<string, ComponentType>>;
  /** Other pages. */
  routes?: readonly AnyRoute[];
  /** Those that the menu of the account has. */
  accountPages?: readonly { path: string; label: string }[];
  /** Above all pages. */
  notices?: readonly { name: string; Notice: ComponentType }[];
  /** Beside the details of a network. */
  networkCards?: readonly { name: string; Card: ComponentType<{ network: Network }> }[];
  /** Parts of the page of a network; the name is in its URL. */
  networkTabs?: readonly { name: string; label: string; Panel: ComponentType<{ network: Network }> }[];
  workspaceRoutes?: readonly AnyRoute[];
  workspaceSections?: readonly WorkspaceSection[];
}
