// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title L1Messenger (0x8008): messages of a ZKsync chain to its L1, recorded
contract L1Messenger {
    event L1MessageSent(address indexed _sender, bytes32 indexed _hash, bytes _message);

    function sendToL1(bytes calldata message) external returns (bytes32 hash) {
        hash = keccak256(message);
        emit L1MessageSent(msg.sender, hash, message);
    }
}
