/** What this thread has computed until now, in milliseconds: other processes and threads do not change it. */
export function cpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
