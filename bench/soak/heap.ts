/**
 * Runs inside a pod: prints how many bytes the heap of process `pid` holds after a full collection. Its text is sent there,
 * so it uses nothing of this file. SIGUSR1 starts the inspector (https://nodejs.org/api/debugger.html).
 */
export async function collectAndRead(pid: number): Promise<void> {
  const inspector = 'http://127.0.0.1:9229/json/list';
  process.kill(pid, 'SIGUSR1');
  const targets = async (triesLeft: number): Promise<Response> =>
    fetch(inspector).catch(async (error: unknown) => {
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
      return targets(triesLeft - 1);
    });
  const [target]: { webSocketDebuggerUrl: string }[] = JSON.parse(await (await targets(50)).text());
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const call = (id: number, method: string) =>
    new Promise<{ usedSize?: number }>((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const answer: { id?: number; result?: { usedSize?: number } } = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result ?? {});
      });
      socket.send(JSON.stringify({ id, method }));
    });
  await call(1, 'HeapProfiler.enable');
  await call(2, 'HeapProfiler.collectGarbage');
  process.stdout.write(String((await call(3, 'Runtime.getHeapUsage')).usedSize));
  socket.close();
}
