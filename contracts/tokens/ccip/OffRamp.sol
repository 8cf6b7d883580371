// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import "./Interfaces.sol";

/// @title Receives messages: replaces CCIP's OffRamp, with one trusted relayer instead of oracles
/// @notice Messages from one source are executed in order, and each succeeds at most once. A failed message is recorded
/// as failed and does not block the next ones; the relayer may retry it. Messages are told apart by their ids: a source
/// that went back to an earlier block gives their sequence numbers to other messages.
contract OffRamp {
    uint8 private constant UNTOUCHED = 0;
    uint8 private constant IN_PROGRESS = 1;
    uint8 private constant SUCCESS = 2;
    uint8 private constant FAILURE = 3;
    uint16 private constant GAS_FOR_CALL_EXACT_CHECK = 5_000;
    /// @dev Reserved for recording a failure, regardless of how much gas the message uses.
    uint256 private constant GAS_RESERVE = 120_000;
    uint256 private constant MAX_RETURN_BYTES = 512;

    IRouter public immutable router;
    ITokenAdminRegistry public immutable tokenAdminRegistry;
    uint64 public immutable chainSelector;
    address public immutable relayer;

    /// @notice Sequence number of the last message from each chain, whether it succeeded or failed.
    mapping(uint64 sourceChainSelector => uint64) public lastSequenceNumber;
    /// @dev The last message with each sequence number.
    mapping(uint64 sourceChainSelector => mapping(uint64 sequenceNumber => bytes32)) private _messageIds;
    mapping(bytes32 messageId => uint8) private _states;

    /// @notice The same event as in CCIP 1.6.
    event ExecutionStateChanged(
        uint64 indexed sourceChainSelector,
        uint64 indexed sequenceNumber,
        bytes32 indexed messageId,
        bytes32 messageHash,
        uint8 state,
        bytes returnData,
        uint256 gasUsed
    );

    error OnlyRelayer();
    error OnlySelf();
    error WrongDestination(uint64 destChainSelector);
    error OutOfOrder(uint64 expected, uint64 actual);
    error AlreadyExecuted(uint64 sourceChainSelector, uint64 sequenceNumber);
    error UnsupportedToken(address token);
    error ReceiverError(bytes returnData);

    constructor(address router_, address registry, uint64 selector, address relayer_) {
        router = IRouter(router_);
        tokenAdminRegistry = ITokenAdminRegistry(registry);
        chainSelector = selector;
        relayer = relayer_;
    }

    function typeAndVersion() external pure returns (string memory) {
        return "SlipwayOffRamp 1.1.0";
    }

    /// @notice 0 untouched, 1 in progress, 2 success, 3 failure: of the last message with this sequence number.
    function getExecutionState(uint64 sourceChainSelector, uint64 sequenceNumber) external view returns (uint8) {
        return _states[_messageIds[sourceChainSelector][sequenceNumber]];
    }

    /// @notice 0 untouched, 1 in progress, 2 success, 3 failure.
    function getMessageState(bytes32 messageId) external view returns (uint8) {
        return _states[messageId];
    }

    function execute(ArrivingMessage calldata message) external {
        if (msg.sender != relayer) revert OnlyRelayer();
        MessageHeader calldata header = message.header;
        if (header.destChainSelector != chainSelector) revert WrongDestination(header.destChainSelector);
        uint8 state = _states[header.messageId];
        if (state == SUCCESS || state == IN_PROGRESS) {
            revert AlreadyExecuted(header.sourceChainSelector, header.sequenceNumber);
        }
        if (state == UNTOUCHED) _advance(header);
        _states[header.messageId] = IN_PROGRESS;
        uint256 gasBefore = gasleft();
        (bool isDone, bytes memory returnData) = _try(abi.encodeCall(this.executeSingle, (message)));
        state = isDone ? SUCCESS : FAILURE;
        _states[header.messageId] = state;
        emit ExecutionStateChanged(
            header.sourceChainSelector,
            header.sequenceNumber,
            header.messageId,
            keccak256(abi.encode(message)),
            state,
            isDone ? bytes("") : returnData,
            gasBefore - gasleft()
        );
    }

    /// @notice A separate call, so that a failure reverts everything that the message did.
    function executeSingle(ArrivingMessage calldata message) external {
        if (msg.sender != address(this)) revert OnlySelf();
        TokenAmount[] memory arrived = new TokenAmount[](message.tokenAmounts.length);
        for (uint256 i = 0; i < arrived.length; i++) arrived[i] = _releaseOrMint(message, message.tokenAmounts[i]);
        if (!_isForContract(message)) return;
        (bool isDone, bytes memory returnData,) = router.routeMessage(
            ReceivedMessage(
                message.header.messageId, message.header.sourceChainSelector, message.sender, message.data, arrived
            ),
            GAS_FOR_CALL_EXACT_CHECK,
            message.gasLimit,
            message.receiver
        );
        if (!isDone) revert ReceiverError(returnData);
    }

    /// @dev Truncates the reason of a failure, so that copying it cannot use up the gas reserve.
    function _try(bytes memory input) private returns (bool isDone, bytes memory returnData) {
        returnData = new bytes(MAX_RETURN_BYTES);
        uint256 gasLimit = gasleft() - GAS_RESERVE;
        uint256 maxBytes = MAX_RETURN_BYTES;
        assembly ("memory-safe") {
            isDone := call(gasLimit, address(), 0, add(input, 32), mload(input), add(returnData, 32), maxBytes)
            let size := returndatasize()
            if lt(size, maxBytes) { mstore(returnData, size) }
        }
    }

    function _advance(MessageHeader calldata header) private {
        uint64 expected = lastSequenceNumber[header.sourceChainSelector] + 1;
        if (header.sequenceNumber > expected) revert OutOfOrder(expected, header.sequenceNumber);
        lastSequenceNumber[header.sourceChainSelector] = header.sequenceNumber;
        _messageIds[header.sourceChainSelector][header.sequenceNumber] = header.messageId;
    }

    function _releaseOrMint(ArrivingMessage calldata message, ArrivingTokens calldata tokens)
        private
        returns (TokenAmount memory)
    {
        address pool = tokenAdminRegistry.getPool(tokens.destTokenAddress);
        if (pool == address(0)) revert UnsupportedToken(tokens.destTokenAddress);
        ReleaseOrMintOut memory out = ITokenPool(pool).releaseOrMint(
            ReleaseOrMintIn(
                message.sender,
                message.header.sourceChainSelector,
                message.receiver,
                tokens.amount,
                tokens.destTokenAddress,
                tokens.sourcePoolAddress,
                tokens.extraData,
                ""
            )
        );
        return TokenAmount(tokens.destTokenAddress, out.destinationAmount);
    }

    /// @dev Accounts without code and contracts that do not accept messages get their tokens but no call.
    function _isForContract(ArrivingMessage calldata message) private view returns (bool) {
        if (message.data.length == 0 && message.gasLimit == 0) return false;
        if (message.receiver.code.length == 0) return false;
        (bool isDone, bytes memory answer) = message.receiver.staticcall{gas: 30_000}(
            abi.encodeWithSignature("supportsInterface(bytes4)", IMessageReceiver.ccipReceive.selector)
        );
        return isDone && answer.length >= 32 && abi.decode(answer, (uint256)) == 1;
    }
}
