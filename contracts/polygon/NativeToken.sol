// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The native currency of Polygon PoS as a token (0x…1010)
/// @notice Withdrawals are absent, because there is no Ethereum to withdraw to. Plain transfers emit no log here.
contract NativeToken {
    uint256 public constant totalSupply = 10_000_000_000 ether;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function name() external pure returns (string memory) {
        return "Polygon Ecosystem Token";
    }

    function symbol() external pure returns (string memory) {
        return "POL";
    }

    function decimals() external pure returns (uint8) {
        return 18;
    }

    function balanceOf(address account) external view returns (uint256) {
        return account.balance;
    }

    /// @notice The amount must be sent as the value of the call.
    /// @return isSent false when the value differs from the amount
    function transfer(address to, uint256 amount) external payable returns (bool isSent) {
        if (msg.value != amount) return false;
        (bool isPaid,) = to.call{value: amount}("");
        require(isPaid, "receiver refused");
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
