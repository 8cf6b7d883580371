// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {Counter} from "../src/Counter.sol";

interface Cheats {
    function startBroadcast() external;
    function stopBroadcast() external;
}

/// @title Deploys with the key of a run
contract Deploy {
    bool public constant IS_SCRIPT = true;

    function run() external {
        Cheats cheats = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
        cheats.startBroadcast();
        new Counter(41);
        cheats.stopBroadcast();
    }
}
