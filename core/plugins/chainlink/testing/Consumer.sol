// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

import {Chainlink, ChainlinkClient} from "@chainlink/contracts/src/v0.8/operatorforwarder/ChainlinkClient.sol";

/// @title A consumer of direct requests on Chainlink's own client. Only for tests.
contract Consumer is ChainlinkClient {
    using Chainlink for Chainlink.Request;

    uint256 public value;

    constructor(address link, address operator) {
        _setChainlinkToken(link);
        _setChainlinkOracle(operator);
    }

    function fetch(bytes32 specId, string calldata url, string calldata path, int256 times, uint256 payment) external {
        Chainlink.Request memory request =
            _buildOperatorRequest(specId, this.fulfill.selector);
        request._add("get", url);
        request._add("path", path);
        request._addInt("times", times);
        _sendOperatorRequest(request, payment);
    }

    function echo(bytes32 specId, uint256 number, int256 times, uint256 payment) external {
        Chainlink.Request memory request =
            _buildOperatorRequest(specId, this.fulfill.selector);
        request._addUint("value", number);
        request._addInt("times", times);
        _sendOperatorRequest(request, payment);
    }

    function fulfill(bytes32 requestId, uint256 answer) external recordChainlinkFulfillment(requestId) {
        value = answer;
    }
}
