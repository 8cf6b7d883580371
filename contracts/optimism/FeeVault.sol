// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title Where an OP Stack rollup gathers its fees
/// @notice The engine pays base fees, L1 fees and tips to vaults. What they hold stays: there is nobody to withdraw it for.
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
