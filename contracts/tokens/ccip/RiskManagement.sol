// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title The target of CCIP's RMN proxy: on these chains nothing is ever cursed
contract RiskManagement {
    function typeAndVersion() external pure returns (string memory) {
        return "SlipwayRiskManagement 1.0.0";
    }

    function isCursed() external pure returns (bool) {
        return false;
    }

    function isCursed(bytes16) external pure returns (bool) {
        return false;
    }
}
