// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The L1 attributes that an OP Stack rollup knows
/// @notice There is no L1 here: the values do not change until the depositor account sets new ones. The storage layout
/// follows the OP Stack specification, because the engine reads the L1 fee parameters from these slots.
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

    /// @dev Has the same selector as the OP Stack's error.
    error NotDepositor();

    function version() external pure returns (string memory) {
        return "slipway";
    }

    /// @notice Reads its arguments packed after the selector, as in Ecotone's attributes transaction.
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
