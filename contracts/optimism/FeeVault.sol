// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title Collects the fees of an OP Stack rollup
/// @notice The engine pays base fees, L1 fees and tips to vaults. The fees stay there, because there is no L1 to withdraw to.
contract FeeVault {
    uint256 public constant MIN_WITHDRAWAL_AMOUNT = 10 ether;
    uint256 public constant totalProcessed = 0;

    receive() external payable {}

    function version() external pure returns (string memory) {
        return "slipway";
    }

    function minWithdrawalAmount() external pure returns (uint256) {
        return MIN_WITHDRAWAL_AMOUNT;
    }
}
