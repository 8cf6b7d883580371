// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {Counter} from "../src/Counter.sol";

interface Cheats {
    function envAddress(string calldata name) external returns (address);
    function envUint(string calldata name) external returns (uint256);
}

/// @title Tests of a contract deployed on the chain that forge forks
contract CounterTest {
    bool public constant IS_TEST = true;

    Counter private counter;
    uint256 private expected;

    function setUp() external {
        Cheats cheats = Cheats(address(uint160(uint256(keccak256("hevm cheat code")))));
        counter = Counter(cheats.envAddress("COUNTER"));
        expected = cheats.envUint("EXPECTED");
    }

    function testReadsWhatWasDeployed() external view {
        require(counter.number() == expected, "unexpected number");
    }

    function testCountsOnItsOwnFork() external {
        counter.increment();
        require(counter.number() == expected + 1, "the counter did not increase");
    }
}
