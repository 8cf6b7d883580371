import { dataLength, dataSlice } from 'ethers';

/** A packet of LayerZero's PacketV1Codec. */
export interface Packet {
  nonce: bigint;
  srcEid: number;
  /** 32 bytes. */
  sender: string;
  dstEid: number;
  /** Address. */
  receiver: string;
  guid: string;
  message: string;
}

const headerBytes = 113;

/**
 * version 1 byte | nonce 8 | srcEid 4 | sender 32 | dstEid 4 | receiver 32 | guid 32 | message. Undefined for another
 * version or a packet that is too short.
 */
export function decodePacket(encoded: string): Packet | undefined {
  if (dataLength(encoded) < headerBytes || dataSlice(encoded, 0, 1) !== '0x01') return undefined;
  return {
    nonce: BigInt(dataSlice(encoded, 1, 9)),
    srcEid: Number(dataSlice(encoded, 9, 13)),
    sender: dataSlice(encoded, 13, 45),
    dstEid: Number(dataSlice(encoded, 45, 49)),
    receiver: dataSlice(encoded, 61, 81),
    guid: dataSlice(encoded, 81, headerBytes),
    message: dataSlice(encoded, headerBytes),
  };
}
