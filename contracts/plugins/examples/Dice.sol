// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {VRFConsumerBaseV2Plus} from "@chainlink/contracts/src/v0.8/vrf/dev/VRFConsumerBaseV2Plus.sol";
import {VRFV2PlusClient} from "@chainlink/contracts/src/v0.8/vrf/dev/libraries/VRFV2PlusClient.sol";

/// @title A consumer of random words as Chainlink's documentation shows it: it works with both types of the plugin vrf
contract Dice is VRFConsumerBaseV2Plus {
    uint256 public lastRequest;
    mapping(uint256 requestId => uint256[] words) private _words;

    constructor(address coordinator) VRFConsumerBaseV2Plus(coordinator) {}

    function roll(bytes32 keyHash, uint256 subId, bool native, uint32 count) external returns (uint256) {
        lastRequest = s_vrfCoordinator.requestRandomWords(
            VRFV2PlusClient.RandomWordsRequest({
                keyHash: keyHash,
                subId: subId,
                requestConfirmations: 3,
                callbackGasLimit: 300_000,
                numWords: count,
                extraArgs: VRFV2PlusClient._argsToBytes(VRFV2PlusClient.ExtraArgsV1({nativePayment: native}))
            })
        );
        return lastRequest;
    }

    function wordsOf(uint256 requestId) external view returns (uint256[] memory) {
        return _words[requestId];
    }

    function fulfillRandomWords(uint256 requestId, uint256[] calldata randomWords) internal override {
        _words[requestId] = randomWords;
    }
}
