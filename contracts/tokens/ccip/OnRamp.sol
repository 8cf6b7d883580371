// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import "./Interfaces.sol";

/// @title Sends messages: replaces CCIP's OnRamp behind the real router, without fees
/// @notice Emits CCIPMessageSent like CCIP 1.6. A relayer passes the message to the OffRamp of the other chain.
contract OnRamp {
    bytes4 private constant EXTRA_ARGS_V1 = 0x97a657c9;
    bytes4 private constant EXTRA_ARGS_V2 = 0x181dcf10;
    /// @dev The same limits as on public lanes, except for the number of tokens, which is 1 there.
    uint256 private constant MAX_GAS_LIMIT = 3_000_000;
    uint256 private constant MAX_DATA_BYTES = 30_000;
    uint256 private constant MAX_TOKENS = 5;

    IRouter public immutable router;
    ITokenAdminRegistry public immutable tokenAdminRegistry;
    uint64 public immutable chainSelector;

    /// @notice Sequence number of the last message to each chain.
    mapping(uint64 destChainSelector => uint64) public lastSequenceNumber;

    event CCIPMessageSent(uint64 indexed destChainSelector, uint64 indexed sequenceNumber, SentMessage message);

    error MustBeCalledByRouter();
    error UnsupportedDestinationChain(uint64 destChainSelector);
    error UnsupportedToken(address token);
    error CannotSendZeroTokens();
    error InvalidEVMAddress(bytes encodedAddress);
    error InvalidExtraArgsTag();
    error MessageGasLimitTooHigh();
    error MessageTooLarge(uint256 maxSize, uint256 actualSize);
    error UnsupportedNumberOfTokens(uint256 numberOfTokens, uint256 maxNumberOfTokens);

    constructor(address router_, address registry, uint64 selector) {
        router = IRouter(router_);
        tokenAdminRegistry = ITokenAdminRegistry(registry);
        chainSelector = selector;
    }

    function typeAndVersion() external pure returns (string memory) {
        return "SlipwayOnRamp 1.0.0";
    }

    /// @notice The fee is always 0. Reverts for a message that cannot be sent.
    function getFee(uint64 destChainSelector, OutgoingMessage calldata message) external view returns (uint256) {
        _validate(destChainSelector, message);
        return 0;
    }

    function getPoolBySourceToken(uint64, address token) public view returns (address) {
        address pool = tokenAdminRegistry.getPool(token);
        if (pool == address(0)) revert UnsupportedToken(token);
        return pool;
    }

    /// @notice The router calls this after it has transferred the tokens to their pools.
    function forwardFromRouter(
        uint64 destChainSelector,
        OutgoingMessage calldata message,
        uint256 feeTokenAmount,
        address originalSender
    ) external returns (bytes32) {
        if (msg.sender != address(router)) revert MustBeCalledByRouter();
        _validate(destChainSelector, message);
        SentMessage memory sent;
        sent.header.sourceChainSelector = chainSelector;
        sent.header.destChainSelector = destChainSelector;
        sent.header.sequenceNumber = ++lastSequenceNumber[destChainSelector];
        sent.sender = originalSender;
        sent.data = message.data;
        sent.receiver = message.receiver;
        sent.extraArgs = message.extraArgs;
        sent.feeToken = message.feeToken;
        sent.feeTokenAmount = feeTokenAmount;
        sent.tokenAmounts = new SentTokens[](message.tokenAmounts.length);
        for (uint256 i = 0; i < message.tokenAmounts.length; i++) {
            sent.tokenAmounts[i] = _lockOrBurn(destChainSelector, message, i, originalSender);
        }
        sent.header.messageId = keccak256(abi.encode(address(this), block.chainid, sent));
        emit CCIPMessageSent(destChainSelector, sent.header.sequenceNumber, sent);
        return sent.header.messageId;
    }

    function _lockOrBurn(
        uint64 destChainSelector,
        OutgoingMessage calldata message,
        uint256 index,
        address originalSender
    ) private returns (SentTokens memory) {
        TokenAmount calldata tokens = message.tokenAmounts[index];
        address pool = getPoolBySourceToken(destChainSelector, tokens.token);
        LockOrBurnOut memory out = ITokenPool(pool).lockOrBurn(
            LockOrBurnIn(message.receiver, destChainSelector, originalSender, tokens.amount, tokens.token)
        );
        return SentTokens(pool, out.destTokenAddress, out.destPoolData, tokens.amount, "");
    }

    function _validate(uint64 destChainSelector, OutgoingMessage calldata message) private view {
        if (router.getOnRamp(destChainSelector) != address(this)) {
            revert UnsupportedDestinationChain(destChainSelector);
        }
        if (message.receiver.length != 32 || uint256(bytes32(message.receiver)) > type(uint160).max) {
            revert InvalidEVMAddress(message.receiver);
        }
        if (message.extraArgs.length > 0) {
            bytes4 tag = bytes4(message.extraArgs);
            if ((tag != EXTRA_ARGS_V1 && tag != EXTRA_ARGS_V2) || message.extraArgs.length < 36) {
                revert InvalidExtraArgsTag();
            }
            if (uint256(bytes32(message.extraArgs[4:36])) > MAX_GAS_LIMIT) revert MessageGasLimitTooHigh();
        }
        if (message.data.length > MAX_DATA_BYTES) revert MessageTooLarge(MAX_DATA_BYTES, message.data.length);
        if (message.tokenAmounts.length > MAX_TOKENS) {
            revert UnsupportedNumberOfTokens(message.tokenAmounts.length, MAX_TOKENS);
        }
        for (uint256 i = 0; i < message.tokenAmounts.length; i++) {
            if (message.tokenAmounts[i].amount == 0) revert CannotSendZeroTokens();
            getPoolBySourceToken(destChainSelector, message.tokenAmounts[i].token);
        }
    }
}
