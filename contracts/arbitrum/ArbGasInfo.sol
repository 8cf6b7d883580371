// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title ArbGasInfo (0x6c): gas prices of an Arbitrum rollup
/// @notice This engine charges nothing for L1, so all L1-based prices are 0.
contract ArbGasInfo {
    uint256 private constant MINIMUM_GAS_PRICE = 0.02 gwei;
    uint256 private constant STORAGE_GAS = 20_000;
    uint256 private constant GAS_PER_SECOND = 7_000_000;
    uint256 private constant MAX_GAS = 32_000_000;

    /// @return Wei for: an L2 transaction, a unit of L1 calldata, a storage slot, base gas, congestion, total gas
    function getPricesInWei() public view returns (uint256, uint256, uint256, uint256, uint256, uint256) {
        uint256 price = block.basefee;
        uint256 base = price < MINIMUM_GAS_PRICE ? price : MINIMUM_GAS_PRICE;
        return (0, 0, price * STORAGE_GAS, base, price - base, price);
    }

    function getPricesInWeiWithAggregator(address)
        external
        view
        returns (uint256, uint256, uint256, uint256, uint256, uint256)
    {
        return getPricesInWei();
    }

    /// @return Gas for: an L2 transaction, a unit of L1 calldata, a storage slot
    function getPricesInArbGas() public pure returns (uint256, uint256, uint256) {
        return (0, 0, STORAGE_GAS);
    }

    function getPricesInArbGasWithAggregator(address) external pure returns (uint256, uint256, uint256) {
        return getPricesInArbGas();
    }

    /// @return Gas per second, the size of the gas pool, the maximum gas of a transaction
    function getGasAccountingParams() external pure returns (uint256, uint256, uint256) {
        return (GAS_PER_SECOND, MAX_GAS, MAX_GAS);
    }

    function getMaxTxGasLimit() external pure returns (uint256) {
        return MAX_GAS;
    }

    function getMinimumGasPrice() external pure returns (uint256) {
        return MINIMUM_GAS_PRICE;
    }

    function getL1BaseFeeEstimate() external pure returns (uint256) {
        return 0;
    }

    function getL1GasPriceEstimate() external pure returns (uint256) {
        return 0;
    }

    function getCurrentTxL1GasFees() external pure returns (uint256) {
        return 0;
    }

    function getL1PricingSurplus() external pure returns (int256) {
        return 0;
    }

    function getGasBacklog() external pure returns (uint64) {
        return 0;
    }
}
