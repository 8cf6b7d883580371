// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title L2BaseToken (0x800a): the ether of a ZKsync chain as a read-only token
contract L2BaseToken {
    event Withdrawal(address indexed _l2Sender, address indexed _l1Receiver, uint256 _amount);

    function name() external pure returns (string memory) {
        return "Ether";
    }

    function symbol() external pure returns (string memory) {
        return "ETH";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    /// @param account An address as a uint256.
    function balanceOf(uint256 account) external view returns (uint256) {
        return address(uint160(account)).balance;
    }

    /// @notice Recorded as on the rollup, but there is no L1 here on which to finalize it.
    function withdraw(address l1Receiver) external payable {
        emit Withdrawal(msg.sender, l1Receiver, msg.value);
    }
}
