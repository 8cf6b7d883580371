// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

interface ILinkToken {
    function mint(address account, uint256 amount) external;
}

/// @title LINK for everybody, on networks where it is worth nothing
/// @notice Needs the role of a minter at the token.
contract LinkFaucet {
    /// @notice The most that one call gives: nobody can use up the token's cap in passing
    uint256 public constant MAX_AMOUNT = 10_000 ether;
    ILinkToken public immutable link;

    error TooMuch(uint256 amount, uint256 max);

    constructor(ILinkToken link_) {
        link = link_;
    }

    function mint(address account, uint256 amount) external {
        if (amount > MAX_AMOUNT) revert TooMuch(amount, MAX_AMOUNT);
        link.mint(account, amount);
    }
}
