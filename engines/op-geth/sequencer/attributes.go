package main

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	// The L1 that is told of has a block every 12 seconds since 1970.
	l1BlockTime = 12
	// As in the OP Stack specification, "L1 Attributes Deposited Transaction".
	attributesGas = 1_000_000
)

var depositor = common.HexToAddress("0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001")

// attributesTx is the first transaction of the block with this timestamp (specs.optimism.io, "Jovian: L1 attributes").
func attributesTx(o options, timestamp uint64) ([]byte, error) {
	number := timestamp / l1BlockTime
	sequence := timestamp % l1BlockTime / o.blockTime
	l1Hash := crypto.Keccak256Hash(word(number))
	to := types.L1BlockAddr
	return types.NewTx(&types.DepositTx{
		SourceHash: sourceHash(l1Hash, sequence),
		From:       depositor,
		To:         &to,
		Value:      new(big.Int),
		Gas:        attributesGas,
		Data:       attributes(o, number, sequence, l1Hash),
	}).MarshalBinary()
}

func attributes(o options, number, sequence uint64, l1Hash common.Hash) []byte {
	data := append([]byte{}, types.JovianL1AttributesSelector...)
	data = binary.BigEndian.AppendUint32(data, uint32(o.baseFeeScalar))
	data = binary.BigEndian.AppendUint32(data, uint32(o.blobBaseFeeScalar))
	data = binary.BigEndian.AppendUint64(data, sequence)
	data = binary.BigEndian.AppendUint64(data, number*l1BlockTime)
	data = binary.BigEndian.AppendUint64(data, number)
	data = append(data, word(o.l1BaseFee)...)
	data = append(data, word(o.l1BlobBaseFee)...)
	data = append(data, l1Hash[:]...)
	data = append(data, make([]byte, 32)...)      // hash of the batcher's address: there is none
	data = binary.BigEndian.AppendUint32(data, 0) // operator fee: scalar
	data = binary.BigEndian.AppendUint64(data, 0) // and constant
	return binary.BigEndian.AppendUint16(data, uint16(o.daFactor))
}

// sourceHash is unique for each block (specs.optimism.io, "Source hash computation", domain 1).
func sourceHash(l1Hash common.Hash, sequence uint64) common.Hash {
	return crypto.Keccak256Hash(word(1), crypto.Keccak256(l1Hash[:], word(sequence)))
}

func word(value uint64) []byte {
	return common.BigToHash(new(big.Int).SetUint64(value)).Bytes()
}
