// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {Initializable} from "@openzeppelin/contracts-upgradeable/proxy/utils/Initializable.sol";

/// @title A value behind a proxy
contract Box is Initializable {
    uint256 public value;

    function initialize(uint256 first) external initializer {
        value = first;
    }
}

/// @title The version that follows
contract BoxV2 is Initializable {
    uint256 public value;

    function initialize(uint256 first) external initializer {
        value = first;
    }

    function increment() external {
        value += 1;
    }
}
