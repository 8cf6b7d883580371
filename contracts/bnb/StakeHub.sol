// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The staking of BNB Smart Chain without stakes: the validator set never changes
/// @notice Answers what the client asks at 0x2002 once a day (consensus/parlia in bnb-chain/bsc).
contract StakeHub {
    function initialize() external {}

    function maxElectedValidators() external pure returns (uint256) {
        return 1;
    }

    function getValidatorElectionInfo(uint256, uint256)
        external
        pure
        returns (address[] memory, uint256[] memory, bytes[] memory, uint256)
    {
        return (new address[](0), new uint256[](0), new bytes[](0), 0);
    }
}
