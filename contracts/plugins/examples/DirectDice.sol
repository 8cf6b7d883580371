// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {VRFV2PlusWrapperConsumerBase} from "@chainlink/contracts/src/v0.8/vrf/dev/VRFV2PlusWrapperConsumerBase.sol";
import {VRFV2PlusClient} from "@chainlink/contracts/src/v0.8/vrf/dev/libraries/VRFV2PlusClient.sol";

/// @title A consumer that pays each request itself, in coins, through the wrapper
contract DirectDice is VRFV2PlusWrapperConsumerBase {
    uint256 public lastRequest;
    mapping(uint256 requestId => uint256[] words) private _words;

    constructor(address wrapper) VRFV2PlusWrapperConsumerBase(wrapper) {}

    receive() external payable {}

    function roll() external {
        bytes memory extraArgs = VRFV2PlusClient._argsToBytes(VRFV2PlusClient.ExtraArgsV1({nativePayment: true}));
        (lastRequest,) = requestRandomnessPayInNative(200_000, 3, 1, extraArgs);
    }

    function wordsOf(uint256 requestId) external view returns (uint256[] memory) {
        return _words[requestId];
    }

    function fulfillRandomWords(uint256 requestId, uint256[] memory randomWords) internal override {
        _words[requestId] = randomWords;
    }
}
