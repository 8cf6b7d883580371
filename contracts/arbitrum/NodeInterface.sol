// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title NodeInterface (0xc8): what an Arbitrum node answers by RPC, as far as a contract can
/// @notice Estimates of gas are absent: ask eth_estimateGas, which has no part for L1 here.
contract NodeInterface {
    /// @return Gas for L1, the base fee, the base fee of L1
    function gasEstimateL1Component(address, bool, bytes calldata) external payable returns (uint64, uint256, uint256) {
        return (0, block.basefee, 0);
    }

    function nitroGenesisBlock() external pure returns (uint256) {
        return 0;
    }

    /// @notice Without an L1 each block counts as its own L1 block.
    function blockL1Num(uint64 l2BlockNumber) external pure returns (uint64) {
        return l2BlockNumber;
    }

    function l2BlockRangeForL1(uint64 blockNumber) external view returns (uint64, uint64) {
        require(blockNumber <= block.number, "requested L1 block number not found in chain");
        return (blockNumber, blockNumber);
    }
}
