// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

interface Cheats {
    function startBroadcast() external;
    function stopBroadcast() external;
}

contract Child {
    event Changed(uint256 number);

    uint256 public number;

    constructor(uint256 first) {
        number = first;
    }

    function change(uint256 next) external {
        number = next;
        emit Changed(next);
    }
}

contract Parent {
    Child[] public children;

    function make(uint256 first) external returns (Child child) {
        child = new Child(first);
        children.push(child);
    }
}

/// @title A typical deployment script: a contract, its children, and calls to both
contract Deploy {
    bool public constant IS_SCRIPT = true;

    function run() external {
        Cheats cheats = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
        cheats.startBroadcast();
        Parent parent = new Parent();
        Child first = parent.make(1);
        Child second = parent.make(2);
        first.change(3);
        second.change(4);
        cheats.stopBroadcast();
    }
}
