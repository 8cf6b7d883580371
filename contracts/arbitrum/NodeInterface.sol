// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title NodeInterface (0xc8): the parts of an Arbitrum node's virtual contract that a real contract can provide
/// @notice Gas estimates are absent: use eth_estimateGas, which has no L1 component here.
contract NodeInterface {
    /// @return The L1 gas, the base fee, the L1 base fee
    function gasEstimateL1Component(address, bool, bytes calldata) external payable returns (uint64, uint256, uint256) {
        return (0, block.basefee, 0);
    }

    function nitroGenesisBlock() external pure returns (uint256) {
        return 0;
    }

    /// @notice Without an L1, each block counts as its own L1 block.
    function blockL1Num(uint64 l2BlockNumber) external pure returns (uint64) {
        return l2BlockNumber;
    }

    function l2BlockRangeForL1(uint64 blockNumber) external view returns (uint64, uint64) {
        require(blockNumber <= block.number, "requested L1 block number not found in chain");
        return (blockNumber, blockNumber);
    }
}
