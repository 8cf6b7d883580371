import { decodeLogValues } from '../../abi/decode.ts';
import type { TokenContracts } from '../../deploy/artifacts.ts';
import { ask } from '../../evm/contractCalls.ts';
import { AppError } from '../../lib/errors.ts';
import type { RelayMessage, RelayProtocol, RelaySource } from '../relay/protocol.ts';
import type { LayerZeroEndpoint } from './members.ts';
import { decodePacket, type Packet } from './packet.ts';

export interface LayerZeroMessage extends RelayMessage {
  packet: Packet;
  encoded: string;
  destination: LayerZeroEndpoint;
}

const noHash = `0x${'0'.repeat(64)}`;

/**
 * From endpoint to endpoint of one LayerZero network: the packet is verified at the destination's message library, then
 * executed at its endpoint. Options are ignored: the execution gets the gas it needs, and there are no native drops.
 */
export function layerZeroRelayProtocol(
  name: string,
  endpoints: readonly LayerZeroEndpoint[],
  contracts: TokenContracts,
): RelayProtocol<LayerZeroMessage> {
  const endpointAbi = contracts.layerzero('Endpoint').abi;
  const libraryAbi = contracts.layerzero('MessageLib').abi;
  const event = endpointAbi.getEvent('PacketSent');
  const topic = event?.topicHash ?? '';
  const byEid = new Map(endpoints.map((one) => [one.eid, one]));
  const byNetwork = new Map(endpoints.map((one) => [one.id, one]));
  return {
    name: `layerzero/${name}`,
    sources: endpoints.map(
      ({ id, incarnation, endpoint: address }): RelaySource => ({ network: id, incarnation, address, topic }),
    ),
    parse(source, log) {
      const values = event && decodeLogValues(event, log);
      if (!values) return undefined;
      const [encoded = '', , sendLibrary] = values.map(String);
      const packet = decodePacket(encoded);
      const destination = packet && byEid.get(packet.dstEid);
      // An application may have chosen another message library, which this relay does not serve.
      const isOurs = sendLibrary?.toLowerCase() === byNetwork.get(source.network)?.messageLib.toLowerCase();
      if (!destination || !isOurs) return undefined;
      return { id: packet.guid, to: destination.id, packet, encoded, destination };
    },
    async next({ packet, encoded, destination }, chain) {
      const { receiver, srcEid, sender, nonce, guid, message } = packet;
      const to = destination.endpoint;
      const path = [receiver, srcEid, sender];
      const [hash, lazyNonce] = await Promise.all([
        ask(chain, { to, abi: endpointAbi, name: 'inboundPayloadHash', args: [...path, nonce] }),
        ask(chain, { to, abi: endpointAbi, name: 'lazyInboundNonce', args: path }),
      ]);
      if (hash === undefined || lazyNonce === undefined) {
        throw new AppError('Unavailable', `there is no endpoint at ${to}`);
      }
      if (hash === noHash && nonce <= BigInt(lazyNonce)) return { kind: 'delivered' };
      if (hash === noHash) {
        const data = libraryAbi.encodeFunctionData('validatePacket', [encoded]);
        return { kind: 'send', name: 'validate', transaction: { to: destination.messageLib, data } };
      }
      const origin = [srcEid, sender, nonce];
      const data = endpointAbi.encodeFunctionData('lzReceive', [origin, receiver, guid, message, '0x']);
      return { kind: 'send', name: 'receive', transaction: { to, data } };
    },
  };
}
