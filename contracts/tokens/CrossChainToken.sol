// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Burnable} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Burnable.sol";

/// @title The token that CCIP pools move between chains
/// @notice Pools mint and burn tokens that arrive and leave, so minting has no cap. New tokens on this chain are issued
/// by the owner, up to `issueLimit`. The roles and getCCIPAdmin are those of Chainlink's BurnMintERC20, so that its
/// tools recognise the token.
contract CrossChainToken is ERC20Burnable, AccessControl, Ownable {
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
    bytes32 public constant BURNER_ROLE = keccak256("BURNER_ROLE");

    uint8 private immutable _decimals;
    uint256 public immutable issueLimit;
    uint256 public issued;

    error IssueLimitExceeded(uint256 wanted, uint256 limit);

    /// @param owner Issues tokens and grants roles to pools
    /// @param recipient Receives the initial supply
    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        uint256 limit,
        uint256 initialSupply,
        address owner,
        address recipient
    ) ERC20(name, symbol) Ownable(owner) {
        _decimals = decimals_;
        issueLimit = limit;
        _grantRole(DEFAULT_ADMIN_ROLE, owner);
        _issue(recipient, initialSupply);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }

    function issue(address to, uint256 amount) external onlyOwner {
        _issue(to, amount);
    }

    function mint(address account, uint256 amount) external onlyRole(MINTER_ROLE) {
        _mint(account, amount);
    }

    function burn(uint256 amount) public override onlyRole(BURNER_ROLE) {
        super.burn(amount);
    }

    function burn(address account, uint256 amount) external onlyRole(BURNER_ROLE) {
        super.burnFrom(account, amount);
    }

    function burnFrom(address account, uint256 amount) public override onlyRole(BURNER_ROLE) {
        super.burnFrom(account, amount);
    }

    function grantMintAndBurnRoles(address pool) external {
        grantRole(MINTER_ROLE, pool);
        grantRole(BURNER_ROLE, pool);
    }

    function getCCIPAdmin() external view returns (address) {
        return owner();
    }

    function _issue(address to, uint256 amount) private {
        issued += amount;
        if (issued > issueLimit) revert IssueLimitExceeded(issued, issueLimit);
        _mint(to, amount);
    }
}
