// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {AggregatorV2V3Interface} from "@chainlink/contracts/src/v0.8/shared/interfaces/AggregatorV2V3Interface.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

/// @title A price feed that one node and the owner keep up to date
contract PriceFeed is AggregatorV2V3Interface, Ownable {
    struct Round {
        int256 answer;
        uint64 updatedAt;
    }

    uint8 public immutable override decimals;
    string public override description;
    uint256 public constant override version = 4;
    /// @notice The account that may update the answer, besides the owner
    address public node;
    uint80 private _last;
    mapping(uint80 round => Round) private _rounds;

    event NodeChanged(address indexed node);

    error NotAllowed(address caller);
    error NotPositive(int256 answer);

    constructor(address owner, uint8 decimals_, string memory description_, int256 answer) Ownable(owner) {
        decimals = decimals_;
        description = description_;
        _update(answer);
    }

    function setNode(address account) external onlyOwner {
        node = account;
        emit NodeChanged(account);
    }

    function updateAnswer(int256 answer) external {
        if (msg.sender != node && msg.sender != owner()) revert NotAllowed(msg.sender);
        _update(answer);
    }

    function latestRoundData() external view override returns (uint80, int256, uint256, uint256, uint80) {
        return _dataOf(_last);
    }

    function getRoundData(uint80 round) external view override returns (uint80, int256, uint256, uint256, uint80) {
        require(_rounds[round].updatedAt != 0, "No data present");
        return _dataOf(round);
    }

    function latestAnswer() external view override returns (int256) {
        return _rounds[_last].answer;
    }

    function latestTimestamp() external view override returns (uint256) {
        return _rounds[_last].updatedAt;
    }

    function latestRound() external view override returns (uint256) {
        return _last;
    }

    function getAnswer(uint256 round) external view override returns (int256) {
        return round > _last ? int256(0) : _rounds[uint80(round)].answer;
    }

    function getTimestamp(uint256 round) external view override returns (uint256) {
        return round > _last ? 0 : _rounds[uint80(round)].updatedAt;
    }

    function _update(int256 answer) private {
        if (answer <= 0) revert NotPositive(answer);
        uint80 round = ++_last;
        _rounds[round] = Round(answer, uint64(block.timestamp));
        emit NewRound(round, msg.sender, block.timestamp);
        emit AnswerUpdated(answer, round, block.timestamp);
    }

    function _dataOf(uint80 round) private view returns (uint80, int256, uint256, uint256, uint80) {
        Round memory data = _rounds[round];
        return (round, data.answer, data.updatedAt, data.updatedAt, round);
    }
}
