// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title SystemContext (0x800b): information about the current transaction and block of a ZKsync chain
/// @notice Each block is its own batch here.
contract SystemContext {
    uint256 public constant difficulty = 2_500_000_000_000_000;

    function chainId() external view returns (uint256) {
        return block.chainid;
    }

    function origin() external view returns (address) {
        return tx.origin;
    }

    function gasPrice() external view returns (uint256) {
        return tx.gasprice;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function blockGasLimit() external view returns (uint256) {
        return block.gaslimit;
    }

    function coinbase() external view returns (address) {
        return block.coinbase;
    }

    function getBlockNumber() external view returns (uint128) {
        return uint128(block.number);
    }

    function getBlockTimestamp() external view returns (uint128) {
        return uint128(block.timestamp);
    }

    function getBlockHashEVM(uint256 number) external view returns (bytes32) {
        return blockhash(number);
    }

    function getL2BlockNumberAndTimestamp() external view returns (uint128, uint128) {
        return (uint128(block.number), uint128(block.timestamp));
    }

    function getBatchNumberAndTimestamp() external view returns (uint128, uint128) {
        return (uint128(block.number), uint128(block.timestamp));
    }
}
