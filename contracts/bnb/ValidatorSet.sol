// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The validator set of BNB Smart Chain, with one validator that never changes
/// @notice Answers what the client asks at 0x1000 (consensus/parlia in bnb-chain/bsc), and keeps the fees.
contract ValidatorSet {
    address public validator;
    uint256 public totalInComing;

    uint256 private constant BLS_KEY_LENGTH = 48;

    function init() external {}

    function deposit(address) external payable {
        totalInComing += msg.value;
    }

    function distributeFinalityReward(address[] calldata, uint256[] calldata) external {}

    function updateValidatorSetV2(address[] calldata, uint64[] calldata, bytes[] calldata) external {}

    function getValidators() public view returns (address[] memory validators) {
        validators = new address[](1);
        validators[0] = validator;
    }

    function getMiningValidators() external view returns (address[] memory validators, bytes[] memory voteAddresses) {
        validators = getValidators();
        voteAddresses = new bytes[](1);
        voteAddresses[0] = new bytes(BLS_KEY_LENGTH);
    }

    function getTurnLength() external pure returns (uint256) {
        return 1;
    }
}
