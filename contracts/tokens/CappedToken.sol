// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";
import {ERC20Capped} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Capped.sol";

/// @title An ERC-20 token whose owner may mint up to a cap
contract CappedToken is ERC20Capped, ERC20Burnable, Ownable {
    uint8 private immutable _decimals;

    /// @param cap The maximum total supply, in the smallest unit
    /// @param initialSupply Minted to the owner on deployment
    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        uint256 cap,
        uint256 initialSupply,
        address owner
    ) ERC20(name, symbol) ERC20Capped(cap) Ownable(owner) {
        _decimals = decimals_;
        _mint(owner, initialSupply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function mint(address to, uint256 amount) external onlyOwner {
        _mint(to, amount);
    }

    function _update(address from, address to, uint256 value) internal override(ERC20, ERC20Capped) {
        super._update(from, to, value);
    }
}
