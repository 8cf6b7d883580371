// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title Withdrawals from an OP Stack rollup
/// @notice Withdrawals are recorded as on the rollup, but there is no L1 here on which to finalize them.
contract L2ToL1MessagePasser {
    uint16 public constant MESSAGE_VERSION = 1;
    uint256 private constant RECEIVE_GAS_LIMIT = 100_000;

    /// @dev Must be in slot 0, because withdrawal proofs refer to it.
    mapping(bytes32 => bool) public sentMessages;
    uint240 private nonce;

    event MessagePassed(
        uint256 indexed nonce,
        address indexed sender,
        address indexed target,
        uint256 value,
        uint256 gasLimit,
        bytes data,
        bytes32 withdrawalHash
    );

    receive() external payable {
        initiateWithdrawal(msg.sender, RECEIVE_GAS_LIMIT, "");
    }

    function version() external pure returns (string memory) {
        return "slipway";
    }

    function messageNonce() public view returns (uint256) {
        return (uint256(MESSAGE_VERSION) << 240) | nonce;
    }

    function initiateWithdrawal(address target, uint256 gasLimit, bytes memory data) public payable {
        uint256 current = messageNonce();
        bytes32 withdrawalHash = keccak256(abi.encode(current, msg.sender, target, msg.value, gasLimit, data));
        sentMessages[withdrawalHash] = true;
        nonce++;
        emit MessagePassed(current, msg.sender, target, msg.value, gasLimit, data, withdrawalHash);
    }
}
