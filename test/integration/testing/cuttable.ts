import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection to a node that ends with the process that uses it. */
export interface CuttableWay {
  port: number;
  /** From now on nothing passes, as with a killed process. */
  cut(): void;
}

export async function openWay(target: { host: string; port: number }): Promise<CuttableWay> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(target));
    keep(near).pipe(far).pipe(near);
    near.once('close', () => far.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
