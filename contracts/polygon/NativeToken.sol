// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The currency of Polygon PoS as a token (0x…1010)
/// @notice There is no withdrawal: there is no Ethereum to withdraw to. Plain transfers write no log of this contract.
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

    /// @notice The amount is sent along as the call's value.
    /// @return isSent false when the value is another than the amount
    function transfer(address to, uint256 amount) external payable returns (bool isSent) {
        if (msg.value != amount) return false;
        (bool isPaid,) = to.call{value: amount}("");
        require(isPaid, "receiver refused");
        emit Transfer(msg.sender, to, amount);
        return true;
    }
}
