// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

/// abis/Counter.json is this contract, compiled with solc 0.8.28 for the EVM version london.
contract Counter {
    string public name = "clicks";
    uint256 public count;

    event Incremented(address indexed by, uint256 count);

    function increment() external {
        count += 1;
        emit Incremented(msg.sender, count);
    }
}
