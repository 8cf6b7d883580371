// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {LinkTokenInterface} from "@chainlink/contracts/src/v0.8/shared/interfaces/LinkTokenInterface.sol";
import {IVRFCoordinatorV2Plus} from "@chainlink/contracts/src/v0.8/vrf/dev/interfaces/IVRFCoordinatorV2Plus.sol";

/// @title Owns a funded VRF subscription to which everybody may add consumers, and gives LINK away
/// @notice The functions are those of the coordinator, which takes them from a subscription's owner only.
contract DemoSubscription {
    IVRFCoordinatorV2Plus public immutable coordinator;
    LinkTokenInterface public immutable link;
    uint256 public immutable subId;
    uint256 public constant DRIP = 100 ether;
    bool public isFunded;
    mapping(address consumer => address account) public addedBy;

    error OtherSubscription(uint256 given, uint256 own);
    error AddedByOther(address consumer);

    constructor(address coordinator_, address link_) {
        coordinator = IVRFCoordinatorV2Plus(coordinator_);
        link = LinkTokenInterface(link_);
        subId = coordinator.createSubscription();
    }

    function addConsumer(uint256 id, address consumer) external {
        _check(id);
        if (addedBy[consumer] == address(0)) addedBy[consumer] = msg.sender;
        coordinator.addConsumer(id, consumer);
    }

    /// @notice Only for the account that added the consumer: nobody takes the subscription away from others
    function removeConsumer(uint256 id, address consumer) external {
        _check(id);
        if (addedBy[consumer] != msg.sender) revert AddedByOther(consumer);
        delete addedBy[consumer];
        coordinator.removeConsumer(id, consumer);
    }

    /// @notice Adds the value, and LINK of this contract, to the subscription
    function fund(uint256 amount) external payable {
        isFunded = true;
        coordinator.fundSubscriptionWithNative{value: msg.value}(subId);
        link.transferAndCall(address(coordinator), amount, abi.encode(subId));
    }

    /// @notice Gives the caller LINK, for subscriptions of its own
    function drip() external {
        link.transfer(msg.sender, DRIP);
    }

    function _check(uint256 id) private view {
        if (id != subId) revert OtherSubscription(id, subId);
    }
}
