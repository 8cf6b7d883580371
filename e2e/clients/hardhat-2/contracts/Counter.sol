// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title A simple contract for trying out a chain
contract Counter {
    event Counted(address indexed by, uint256 number);

    uint256 public number;

    constructor(uint256 first) {
        number = first;
    }

    function increment() external {
        number += 1;
        emit Counted(msg.sender, number);
    }
}
