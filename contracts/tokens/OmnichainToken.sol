// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {OFTCore} from "@layerzerolabs/oft-evm/contracts/OFTCore.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title LayerZero's OFT with configurable supply and decimals
/// @notice The same as LayerZero's OFT contract, which reads the decimals before a subclass can set them. They must be
/// 6 or more, because messages count in millionths.
contract OmnichainToken is OFTCore, ERC20 {
    uint8 private immutable _decimals;

    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        uint256 totalSupply,
        address endpoint,
        address owner
    ) ERC20(name, symbol) OFTCore(decimals_, endpoint, owner) Ownable(owner) {
        _decimals = decimals_;
        _mint(owner, totalSupply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function token() external view returns (address) {
        return address(this);
    }

    /// @notice The sender's own tokens are burned, so no approval is needed.
    function approvalRequired() external pure returns (bool) {
        return false;
    }

    function _debit(address from, uint256 amount, uint256 minimum, uint32 dstEid)
        internal
        override
        returns (uint256 amountSent, uint256 amountReceived)
    {
        (amountSent, amountReceived) = _debitView(amount, minimum, dstEid);
        _burn(from, amountSent);
    }

    function _credit(address to, uint256 amount, uint32) internal override returns (uint256 amountReceived) {
        // The zero address cannot hold tokens. As in LayerZero's contract, they go to 0xdead instead.
        _mint(to == address(0) ? address(0xdead) : to, amount);
        return amount;
    }
}
