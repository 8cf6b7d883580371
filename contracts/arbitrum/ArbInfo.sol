// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title ArbInfo (0x65): balances and code
contract ArbInfo {
    function getBalance(address account) external view returns (uint256) {
        return account.balance;
    }

    function getCode(address account) external view returns (bytes memory) {
        return account.code;
    }
}
