// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title What a rollup of the OP Stack knows of its L1
/// @notice There is no L1 here: the values stand still until the depositor account sets others. The order of the
/// variables is that of the OP Stack's specification, because the engine reads the L1 fee from these very slots.
contract L1Block {
    address public constant DEPOSITOR_ACCOUNT = 0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001;

    uint64 public number;
    uint64 public timestamp;
    uint256 public basefee;
    bytes32 public hash;
    uint64 public sequenceNumber;
    uint32 public blobBaseFeeScalar;
    uint32 public baseFeeScalar;
    bytes32 public batcherHash;
    uint256 public l1FeeOverhead;
    uint256 public l1FeeScalar;
    uint256 public blobBaseFee;
    uint64 public operatorFeeConstant;
    uint32 public operatorFeeScalar;
    uint16 public daFootprintGasScalar;

    /// @dev The selector of the OP Stack's own error.
    error NotDepositor();

    function version() external pure returns (string memory) {
        return "slipway";
    }

    /// @notice Takes its arguments packed behind the selector, as the attributes transaction of Ecotone has them.
    function setL1BlockValuesEcotone() public {
        if (msg.sender != DEPOSITOR_ACCOUNT) revert NotDepositor();
        baseFeeScalar = uint32(bytes4(msg.data[4:8]));
        blobBaseFeeScalar = uint32(bytes4(msg.data[8:12]));
        sequenceNumber = uint64(bytes8(msg.data[12:20]));
        timestamp = uint64(bytes8(msg.data[20:28]));
        number = uint64(bytes8(msg.data[28:36]));
        basefee = uint256(bytes32(msg.data[36:68]));
        blobBaseFee = uint256(bytes32(msg.data[68:100]));
        hash = bytes32(msg.data[100:132]);
        batcherHash = bytes32(msg.data[132:164]);
    }

    function setL1BlockValuesIsthmus() public {
        setL1BlockValuesEcotone();
        operatorFeeScalar = uint32(bytes4(msg.data[164:168]));
        operatorFeeConstant = uint64(bytes8(msg.data[168:176]));
    }

    function setL1BlockValuesJovian() external {
        setL1BlockValuesIsthmus();
        daFootprintGasScalar = uint16(bytes2(msg.data[176:178]));
    }
}
