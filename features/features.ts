/**
 * What was added beside the mission, by the names of the folders, in the order of documents. "make generate" assembles the
 * processes, the console and the command line from them: a feature is its folder and its line here.
 */
export const features = {
  webhooks: 'sends events to URLs of users',
  usage: 'counts what workspaces use by day',
  audit: 'keeps what callers did',
  verification: 'compares contracts with their sources',
  explorer: 'reads chains, and shows them',
  faucet: 'pays coins and tokens to an address',
  calls: 'keeps the last calls to networks',
  keys: 'opens networks with keys that have names',
  addressBook: 'names addresses',
  identity: 'signs people in with a browser, and machines without one',
};
