// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

interface Cheats {
    function envUint(string calldata name) external view returns (uint256);
}

/// @title Runs on a fork of the network of a run
contract ForkTest {
    Cheats private constant CHEATS = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));

    function testForksTheNetworkOfThisRun() external view {
        require(block.chainid == CHEATS.envUint("CHAIN_ID"), "another chain");
    }
}
