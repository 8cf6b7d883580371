import { z } from 'zod';
import { isInDomain } from '../lib/authority.ts';
import { parseRfc3339 } from '../lib/clock.ts';
import { withoutEnding } from '../lib/text/withoutEnding.ts';
import { membersOfFeatures } from './features.ts';
import { chainTypeNames } from './resources/chainSpecs.ts';

const solanaAddressSchema = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, 'use a Base58 address');

/** What the operator creates in the namespace of each workspace. */
const workspacesSchema = z.object({
  /** Pod Security Standard that the namespace enforces. */
  podSecurity: z.enum(['privileged', 'baseline', 'restricted']).default('restricted'),
  /** NetworkPolicies that isolate the engines. */
  networkPolicies: z
    .array(z.object({ name: z.string(), spec: z.record(z.string(), z.unknown()) }))
    .default([]),
  /** spec.hard of the namespace's ResourceQuota; empty: it has none. */
  resourceQuota: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  /** spec.limits of the namespace's LimitRange; empty: it has none. */
  limitRange: z.array(z.record(z.string(), z.unknown())).default([]),
  /** Names of Secrets with the logins of registries, of which the namespace gets copies for the pods of engines. */
  pullSecrets: z.array(z.string().min(1)).default([]),
  /** ClusterRoles that the operator binds in the namespace, each to a service account of Slipway. */
  bindings: z.array(z.object({ role: z.string(), serviceAccount: z.string() })).default([]),
});

/** What the chart configures for both processes: the file `config.json`, mounted from one ConfigMap. */
export const installationSchema = z
  .object({
    /** Where users reach the service, without a trailing slash: `http://127.0.0.1:8080`. */
    publicUrl: z.url().transform((url) => withoutEnding(url, '/')),
    /** The domain of the host names of services that need an origin of their own. Empty: they have none. */
    serviceDomain: z
      .string()
      .regex(/^([a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*)?$/, 'use a domain in lower case: services.example.com')
      .max(180)
      .default(''),
    /** The workspace of the bootstrap key: its id, and the namespace that holds its objects. */
    defaultWorkspace: z.object({ id: z.string().min(1), namespace: z.string().min(1) }),
    idle: z
      .object({
        /** Seconds between the last wake-up of a network that is not persistent and its stop. */
        afterSeconds: z.int().min(60).default(86_400),
        /** The longest spec.idleAfter. */
        maxAfterSeconds: z.int().min(60).default(604_800),
        /** More idle stops per minute than this look like a fault: the others wait. */
        maxStopsPerMinute: z.int().min(1).default(20),
      })
      .prefault({}),
    /** Engine pods that wait for a network, so that it starts at once. */
    warmEngines: z
      .object({
        enabled: z.boolean().default(true),
        /** In each workspace, whether or not it was used. */
        min: z.int().min(0).max(100).default(0),
        /** In a workspace that was used: as many as networks started lately. */
        max: z.int().min(0).max(100).default(2),
        /** In the default workspace, instead of `min` where that is less. */
        defaultWorkspace: z.int().min(0).max(100).default(1),
        /** How long a start counts, in seconds. */
        recentSeconds: z.int().min(60).default(3600),
      })
      .prefault({}),
    expiry: z
      .object({
        /** The longest spec.expiresAfter. */
        maxAfterSeconds: z.int().min(120).default(31_536_000),
      })
      .prefault({}),
    /** Volumes of persistent networks. */
    storage: z
      .object({
        /** Empty: the cluster's default StorageClass. */
        className: z.string().default(''),
        size: z.string().default('1Gi'),
      })
      .prefault({}),
    quota: z
      .object({
        /** Maximum number of persistent networks in a workspace. */
        persistentNetworks: z.int().min(0).default(3),
        /** Maximum number of participants of an Ethereum network, each of which is three pods. */
        participants: z.int().min(1).default(8),
        /** Maximum number of genesis validators of an Ethereum network. */
        validators: z.int().min(1).default(10_000),
        /** Maximum number of snapshots in a workspace. */
        snapshots: z.int().min(0).default(50),
        /** Maximum size of a snapshot, in MiB of compressed state. */
        snapshotMiB: z.int().min(1).max(24).default(8),
        /** Maximum size of all snapshots in a workspace, in MiB. */
        workspaceSnapshotsMiB: z.int().min(1).default(64),
        /** Maximum size of everything that a workspace stores in etcd, in MiB. */
        workspaceStoredMiB: z.int().min(1).default(256),
        /** The same for all workspaces of the installation together; etcd itself accepts 2 GiB by default. */
        storedMiB: z.int().min(1).default(1024),
        /** Maximum size of the networks, secrets and tokens of a workspace, in MiB: every process keeps them in memory. */
        workspaceCachedMiB: z.int().min(1).default(32),
        /** The same for all workspaces of the installation together. */
        cachedMiB: z.int().min(1).default(128),
        /** Maximum number of webhooks in a workspace. */
        webhooks: z.int().min(0).default(50),
        /** Maximum number of workspaces that a user may create, besides the personal one. */
        workspaces: z.int().min(0).default(20),
        /** Maximum number of accounts of the installation. */
        accounts: z.int().min(1).default(1000),
        /** Maximum number of accounts that a user may bring in, directly and through the accounts brought in. */
        accountsPerUser: z.int().min(0).default(20),
        /** Maximum number of API keys that a user may have, over all workspaces. */
        apiKeys: z.int().min(1).default(200),
      })
      .prefault({}),
    bootstrapKey: z
      .object({
        /** RFC 3339: the first API key is not valid after this time. Empty: it does not expire. */
        expiresAt: z
          .string()
          .default('')
          .refine((text) => text === '' || parseRfc3339(text) !== undefined, {
            error: 'use RFC 3339: 2031-01-31T00:00:00Z',
          }),
      })
      .prefault({}),
    /** For each account (a user with all API keys) in each replica of the API server; a workspace may do four times as much. */
    limits: z
      .object({
        /** 0: no limit. */
        requestsPerSecond: z.number().min(0).default(100),
        /** Requests that may arrive at once. */
        burst: z.int().min(1).default(200),
        /** Requests that are processed concurrently; the others wait. */
        concurrent: z.int().min(1).default(32),
        /** POST requests with an Idempotency-Key, each of which leaves a record for a day. 0: no limit. */
        idempotencyKeysPerDay: z.int().min(0).default(50_000),
        /** Bytes that requests of all callers may hold in a replica, in MiB: bodies, parsed values, frames, backlogs. */
        requestMemoryMiB: z.int().min(64).default(320),
        /** Streams of events that may be open in a replica. */
        eventStreams: z
          .object({
            account: z.int().min(1).default(32),
            workspace: z.int().min(1).default(500),
            all: z.int().min(1).default(2000),
          })
          .prefault({}),
        /** Proxies before the API server that append their caller to X-Forwarded-For. */
        trustedProxies: z.int().min(0).max(10).default(0),
      })
      .prefault({}),
    solana: z
      .object({
        /** Who may call requestAirdrop: everybody with a URL of the network, holders of its admin URL, nobody. */
        airdrops: z.enum(['public', 'admin', 'never']).default('public'),
        /** Base58 addresses that forks with the real validator copy from their source; light forks copy what is used. */
        clone: z
          .object({
            accounts: z.array(solanaAddressSchema).default([]),
            programs: z.array(solanaAddressSchema).default([]),
          })
          .prefault({}),
      })
      .prefault({}),
    forks: z
      .object({
        /** Where the fork proxy listens, without a trailing slash; empty: nothing can be forked. */
        url: z.string().default(''),
        /** The chain types with a source; absent: only the fork proxy knows. */
        types: z.array(z.string()).optional(),
        /** Requests to a source at a time, in each replica of the fork proxy. */
        concurrent: z.int().min(1).default(32),
        /** What a replica of the fork proxy keeps of answers that do not change, in MiB. */
        cacheMiB: z.int().min(1).default(128),
        /** What spec.chain.*.forking.sourceRef may name. */
        ownSources: z
          .object({
            /** Hosts, and domains that begin with a dot: every host in them. Empty: nothing. */
            allowedHosts: z.array(z.string().min(1)).default([]),
            /** Whether such a host may have a private or loopback address, and a URL may begin with http://. */
            allowPrivateAddresses: z.boolean().default(false),
          })
          .prefault({}),
      })
      .prefault({}),
    monitoring: z
      .object({
        /** Workspaces with labels of their own in metrics; the others share one. */
        workspaceLabels: z.int().min(0).max(10_000).default(100),
      })
      .prefault({}),
    tracing: z
      .object({
        /** The base URL of an OpenTelemetry collector (OTLP over HTTP); empty: no traces. */
        endpoint: z
          .union([z.literal(''), z.url({ protocol: /^https?$/, error: 'use an http:// or https:// URL' })])
          .default(''),
        /** The part of new traces that is recorded. */
        sampling: z.number().min(0).max(1).default(1),
        /** Whether the `traceparent` of callers is continued, and decides what is recorded. */
        trustCallers: z.boolean().default(false),
        /** Whether a Secret has headers for the collector. */
        hasHeaders: z.boolean().default(false),
        /** Certificates in PEM, in addition to the public ones; empty: none. */
        ca: z.string().default(''),
      })
      .prefault({}),
    workspaces: workspacesSchema.prefault({}),
    ...membersOfFeatures('settings'),
    rpc: z
      .object({
        /** How long a call to a network that is not Operational is held, in seconds. */
        holdSeconds: z.number().min(0).default(20),
        maxBodyBytes: z
          .int()
          .min(1024)
          .default(5 * 1024 * 1024),
      })
      .prefault({}),
  })
  .refine(({ publicUrl, serviceDomain }) => !isInDomain(new URL(publicUrl).host, serviceDomain), {
    error: 'must not contain the host of publicUrl: use a domain of its own',
    path: ['serviceDomain'],
  });
export type Installation = z.infer<typeof installationSchema>;
export type WarmSettings = Installation['warmEngines'];
export type OwnSources = Installation['forks']['ownSources'];

/**
 * The source URL for each chain type that may be forked: the file `fork-sources.json`, mounted from a Secret into the fork
 * proxy alone.
 */
export const forkSourcesSchema = z.partialRecord(
  z.enum(chainTypeNames as [string, ...string[]]),
  z.url({ protocol: /^https?$/, error: 'use an http:// or https:// URL' }),
);
export type ForkSources = Partial<Record<string, string>>;
