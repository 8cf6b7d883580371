// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {L2ToL1MessagePasser} from "./L2ToL1MessagePasser.sol";

/// @title Messages between an OP Stack rollup and its L1
/// @notice Messages to L1 are recorded but never delivered. A message from L1 arrives when the L1 messenger's alias
/// sends it, which a test can do by impersonation.
contract L2CrossDomainMessenger {
    uint16 public constant MESSAGE_VERSION = 1;
    uint160 private constant ALIAS_OFFSET = uint160(0x1111000000000000000000000000000000001111);
    L2ToL1MessagePasser private constant PASSER =
        L2ToL1MessagePasser(payable(0x4200000000000000000000000000000000000016));

    /// @notice The L1 messenger of the public chain; set in the chain's genesis state.
    address public otherMessenger;
    mapping(bytes32 => bool) public successfulMessages;
    mapping(bytes32 => bool) public failedMessages;
    address private currentSender;
    uint240 private nonce;

    event SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit);
    event SentMessageExtension1(address indexed sender, uint256 value);
    event RelayedMessage(bytes32 indexed msgHash);
    event FailedRelayedMessage(bytes32 indexed msgHash);

    function version() external pure returns (string memory) {
        return "slipway";
    }

    function OTHER_MESSENGER() external view returns (address) {
        return otherMessenger;
    }

    function messageNonce() public view returns (uint256) {
        return (uint256(MESSAGE_VERSION) << 240) | nonce;
    }

    function xDomainMessageSender() external view returns (address) {
        require(currentSender != address(0), "CrossDomainMessenger: xDomainMessageSender is not set");
        return currentSender;
    }

    /// @notice The gas that a message needs on L1: its own gas limit plus the overhead of relaying.
    function baseGas(bytes memory message, uint32 minGasLimit) public pure returns (uint64) {
        return uint64((uint256(minGasLimit) * 64) / 63 + message.length * 16 + 285_000);
    }

    function sendMessage(address target, bytes calldata message, uint32 minGasLimit) external payable {
        bytes memory relay = _relayCall(messageNonce(), msg.sender, target, msg.value, minGasLimit, message);
        PASSER.initiateWithdrawal{value: msg.value}(otherMessenger, baseGas(message, minGasLimit), relay);
        emit SentMessage(target, msg.sender, message, messageNonce(), minGasLimit);
        emit SentMessageExtension1(msg.sender, msg.value);
        nonce++;
    }

    /// @notice Anyone may relay a failed message again.
    function relayMessage(
        uint256 messageNonce_,
        address sender,
        address target,
        uint256 value,
        uint256 minGasLimit,
        bytes calldata message
    ) external payable {
        bytes32 messageHash = keccak256(_relayCall(messageNonce_, sender, target, value, minGasLimit, message));
        bool isFromL1 = msg.sender == address(uint160(otherMessenger) + ALIAS_OFFSET);
        require(isFromL1 ? msg.value == value : msg.value == 0 && failedMessages[messageHash], "message cannot be replayed");
        require(!successfulMessages[messageHash], "message has already been relayed");
        require(target != address(this) && target != address(PASSER), "cannot send message to a system address");
        require(currentSender == address(0), "message is being relayed");
        currentSender = sender;
        (bool isSuccess,) = target.call{value: value}(message);
        currentSender = address(0);
        if (isSuccess) {
            successfulMessages[messageHash] = true;
            emit RelayedMessage(messageHash);
            return;
        }
        failedMessages[messageHash] = true;
        emit FailedRelayedMessage(messageHash);
    }

    function _relayCall(
        uint256 messageNonce_,
        address sender,
        address target,
        uint256 value,
        uint256 minGasLimit,
        bytes calldata message
    ) private pure returns (bytes memory) {
        return abi.encodeCall(L2CrossDomainMessenger.relayMessage, (messageNonce_, sender, target, value, minGasLimit, message));
    }
}
