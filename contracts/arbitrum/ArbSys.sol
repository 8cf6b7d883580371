// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title ArbSys (0x64): information about the chain, and messages from an Arbitrum rollup to L1
/// @notice Functions that inspect the call stack (isTopLevelCall, myCallersAddressWithoutAliasing) are absent, because
/// a contract cannot do that. Messages to L1 are recorded but never delivered.
contract ArbSys {
    uint160 private constant ALIAS_OFFSET = uint160(0x1111000000000000000000000000000000001111);
    /// @dev ArbOS version numbers start at 55.
    uint256 private constant ARBOS_VERSION = 55 + 61;
    uint256 private sentCount;

    error InvalidBlockNumber(uint256 requested, uint256 current);

    event L2ToL1Tx(
        address caller,
        address indexed destination,
        uint256 indexed hash,
        uint256 indexed position,
        uint256 arbBlockNum,
        uint256 ethBlockNum,
        uint256 timestamp,
        uint256 callvalue,
        bytes data
    );

    function arbBlockNumber() external view returns (uint256) {
        return block.number;
    }

    function arbBlockHash(uint256 number) external view returns (bytes32) {
        if (number >= block.number || number + 256 < block.number) revert InvalidBlockNumber(number, block.number);
        return blockhash(number);
    }

    function arbChainID() external view returns (uint256) {
        return block.chainid;
    }

    function arbOSVersion() external pure returns (uint256) {
        return ARBOS_VERSION;
    }

    /// @notice Nitro charges for storage only as gas.
    function getStorageGasAvailable() external pure returns (uint256) {
        return 0;
    }

    /// @notice There are no calls from an L1 here.
    function wasMyCallersAddressAliased() external pure returns (bool) {
        return false;
    }

    function mapL1SenderContractAddressToL2Alias(address sender, address) external pure returns (address) {
        unchecked {
            return address(uint160(sender) + ALIAS_OFFSET);
        }
    }

    function withdrawEth(address destination) external payable returns (uint256) {
        return sendTxToL1(destination, "");
    }

    /// @return position The number of messages sent before.
    function sendTxToL1(address destination, bytes memory data) public payable returns (uint256 position) {
        position = sentCount++;
        bytes memory packed = abi.encodePacked(
            msg.sender, destination, block.number, block.number, block.timestamp, msg.value, data
        );
        uint256 hash = uint256(keccak256(packed));
        emit L2ToL1Tx(
            msg.sender, destination, hash, position, block.number, block.number, block.timestamp, msg.value, data
        );
    }
}
