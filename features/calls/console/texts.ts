/** English. */
export const texts = {
  title: 'Calls',
  forbidden: 'You may not see calls: ask for the permission logs:read.',
  offTitle: 'Calls are not kept',
  offText:
    'Keep the last 1,000 JSON-RPC calls to this network to see what fails, and why. They are in the memory of the service and never have keys.',
  turnOn: 'Keep calls',
  turnOff: 'Keep them no longer',
  offForbidden: 'You may not switch it on: ask for the permission networks:write.',
  onlyFailed: 'Only failed',
  live: 'Refresh every 2 seconds',
  none: 'No call yet. Calls to the URLs of the network appear here.',
  noneFailed: 'No call failed.',
  missing: (count: number) => `${count} replicas of the service did not answer: their calls are missing.`,
  method: 'Method',
  noMethod: 'No valid call',
  params: 'Parameters',
  duration: 'ms',
  error: 'Error',
  key: 'Key',
  time: 'Time',
};
