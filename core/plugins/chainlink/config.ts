import type { PluginInput } from '../plugin.ts';
import { postgresAccess } from '../postgres.ts';

export const httpPort = 6688;
export const databaseName = 'chainlink';
/** The name of the node's only user. */
export const email = 'admin@chainlink.local';

/** 16 to 50 characters, as the node asks for. */
export function passwordOf({ deriveSecret }: Pick<PluginInput, 'deriveSecret'>): string {
  return deriveSecret('api').slice(0, 32);
}

/**
 * The node's configuration, without secrets, in the form of v2.23. Chains for development have blocks when there is
 * something to mine, and they do not reorganise: the node waits for no further confirmation and misses no heads. The address
 * of LINK is left out, because it is known only after the node has started; the node only shows balances with it.
 */
export function configOf({ chain: { chainId, rpcUrl, wsUrl } }: Pick<PluginInput, 'chain'>): string {
  return `RootDir = '/tmp/chainlink'
# The password of the keys has 256 random bits, which slow hashing cannot protect any better.
InsecureFastScrypt = true

[Log]
Level = 'warn'
[Log.File]
MaxSize = '0b'

[WebServer]
HTTPPort = ${httpPort}
SecureCookies = false
AllowOrigins = '*'
[WebServer.TLS]
HTTPSPort = 0
[WebServer.RateLimit]
# All users come through one gateway, and the password cannot be guessed.
Unauthenticated = 100
UnauthenticatedPeriod = '20s'

[Feature]
LogPoller = true
FeedsManager = false
UICSAKeys = false

[Database.Lock]
# How long a node waits after one that was killed.
LeaseDuration = '3s'
LeaseRefreshInterval = '1s'
[Database.Backup]
Mode = 'none'

[JobPipeline]
MaxSuccessfulRuns = 100
[JobPipeline.HTTPRequest]
DefaultTimeout = '10s'

[[EVM]]
ChainID = '${chainId}'
FinalityDepth = 3
FinalityTagEnabled = false
MinIncomingConfirmations = 1
MinContractPayment = '0'
NoNewHeadsThreshold = '0s'
NoNewFinalizedHeadsThreshold = '0s'
LogPollInterval = '1s'
LogBackfillBatchSize = 100
RPCBlockQueryDelay = 0
[EVM.GasEstimator]
Mode = 'FeeHistory'
EIP1559DynamicFees = true
LimitDefault = 2500000
LimitMax = 2500000
PriceDefault = '2 gwei'
PriceMax = '500 gwei'
[EVM.GasEstimator.FeeHistory]
CacheTimeout = '1s'
[EVM.HeadTracker]
HistoryDepth = 20
FinalityTagBypass = true
MaxAllowedFinalityDepth = 50
[EVM.Transactions]
ResendAfterThreshold = '5s'
[EVM.NodePool]
PollInterval = '2s'
NewHeadsPollInterval = '0s'
[[EVM.Nodes]]
Name = 'network'
WSURL = '${wsUrl}'
HTTPURL = '${rpcUrl}'
`;
}

/** The secret half of the configuration. Derived secrets are hexadecimal, so that they need no quoting. */
export function secretsOf({ deriveSecret, hostOf }: Pick<PluginInput, 'deriveSecret' | 'hostOf'>): string {
  const { user, port } = postgresAccess;
  const authority = `${user}:${deriveSecret('postgres')}@${hostOf('db')}:${port}`;
  return `[Database]
URL = 'postgresql://${authority}/${databaseName}?sslmode=disable'
[Password]
Keystore = '${deriveSecret('keystore')}'
`;
}
