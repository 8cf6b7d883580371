// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {FastLz} from "./FastLz.sol";
import {L1Block} from "./L1Block.sol";

/// @title The cost of a transaction on an OP Stack rollup in addition to its gas
/// @notice Uses the formulas in the specifications of the Fjord and Jovian upgrades; the engine charges the same.
contract GasPriceOracle {
    uint256 public constant DECIMALS = 6;
    bool public constant isEcotone = true;
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;
    bool public constant isJovian = true;
    L1Block private constant L1_BLOCK = L1Block(0x4200000000000000000000000000000000000015);
    /// @dev The number of bytes that a signature adds to an unsigned transaction.
    uint256 private constant SIGNATURE_SIZE = 68;
    uint256 private constant SMALLEST_SIZE_SCALED = 100e6;

    function version() external pure returns (string memory) {
        return "slipway";
    }

    function decimals() external pure returns (uint256) {
        return DECIMALS;
    }

    function gasPrice() external view returns (uint256) {
        return block.basefee;
    }

    function baseFee() external view returns (uint256) {
        return block.basefee;
    }

    function l1BaseFee() public view returns (uint256) {
        return L1_BLOCK.basefee();
    }

    function blobBaseFee() public view returns (uint256) {
        return L1_BLOCK.blobBaseFee();
    }

    function baseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.baseFeeScalar();
    }

    function blobBaseFeeScalar() public view returns (uint32) {
        return L1_BLOCK.blobBaseFeeScalar();
    }

    /// @param unsignedTransaction The RLP-encoded transaction without its signature.
    function getL1Fee(bytes calldata unsignedTransaction) external view returns (uint256) {
        return _l1Fee(FastLz.compressedLength(unsignedTransaction) + SIGNATURE_SIZE);
    }

    /// @notice The upper bound of the L1 fee for an unsigned transaction of this length.
    function getL1FeeUpperBound(uint256 unsignedLength) external view returns (uint256) {
        uint256 length = unsignedLength + SIGNATURE_SIZE;
        return _l1Fee(length + length / 255 + 16);
    }

    function getL1GasUsed(bytes calldata unsignedTransaction) external pure returns (uint256) {
        return (_sizeScaled(FastLz.compressedLength(unsignedTransaction) + SIGNATURE_SIZE) * 16) / 1e6;
    }

    function getOperatorFee(uint256 gasUsed) external view returns (uint256) {
        return gasUsed * L1_BLOCK.operatorFeeScalar() * 100 + L1_BLOCK.operatorFeeConstant();
    }

    function _l1Fee(uint256 compressedLength) private view returns (uint256) {
        uint256 priceScaled = uint256(baseFeeScalar()) * l1BaseFee() * 16 + uint256(blobBaseFeeScalar()) * blobBaseFee();
        return (_sizeScaled(compressedLength) * priceScaled) / 1e12;
    }

    /// @dev The specification's linear estimate of a transaction's size in a compressed batch, times 1e6.
    function _sizeScaled(uint256 compressedLength) private pure returns (uint256) {
        uint256 scaled = 836_500 * compressedLength;
        return scaled < SMALLEST_SIZE_SCALED + 42_585_600 ? SMALLEST_SIZE_SCALED : scaled - 42_585_600;
    }
}
