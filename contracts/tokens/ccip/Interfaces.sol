// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// The parts of CCIP 1.6 that our ramps use: ABI-compatible structs and the functions that they call.

struct TokenAmount {
    address token;
    uint256 amount;
}

/// The message that a user passes to the router.
struct OutgoingMessage {
    bytes receiver;
    bytes data;
    TokenAmount[] tokenAmounts;
    address feeToken;
    bytes extraArgs;
}

/// The message that a receiving contract gets from the router.
struct ReceivedMessage {
    bytes32 messageId;
    uint64 sourceChainSelector;
    bytes sender;
    bytes data;
    TokenAmount[] destTokenAmounts;
}

struct MessageHeader {
    bytes32 messageId;
    uint64 sourceChainSelector;
    uint64 destChainSelector;
    uint64 sequenceNumber;
    uint64 nonce;
}

struct SentTokens {
    address sourcePoolAddress;
    bytes destTokenAddress;
    bytes extraData;
    uint256 amount;
    bytes destExecData;
}

/// The message that the on-ramp emits.
struct SentMessage {
    MessageHeader header;
    address sender;
    bytes data;
    bytes receiver;
    bytes extraArgs;
    address feeToken;
    uint256 feeTokenAmount;
    uint256 feeValueJuels;
    SentTokens[] tokenAmounts;
}

struct ArrivingTokens {
    bytes sourcePoolAddress;
    address destTokenAddress;
    uint32 destGasAmount;
    bytes extraData;
    uint256 amount;
}

/// The message that the relayer passes to the off-ramp.
struct ArrivingMessage {
    MessageHeader header;
    bytes sender;
    bytes data;
    address receiver;
    uint256 gasLimit;
    ArrivingTokens[] tokenAmounts;
}

struct LockOrBurnIn {
    bytes receiver;
    uint64 remoteChainSelector;
    address originalSender;
    uint256 amount;
    address localToken;
}

struct LockOrBurnOut {
    bytes destTokenAddress;
    bytes destPoolData;
}

struct ReleaseOrMintIn {
    bytes originalSender;
    uint64 remoteChainSelector;
    address receiver;
    uint256 amount;
    address localToken;
    bytes sourcePoolAddress;
    bytes sourcePoolData;
    bytes offchainTokenData;
}

struct ReleaseOrMintOut {
    uint256 destinationAmount;
}

interface ITokenPool {
    function lockOrBurn(LockOrBurnIn calldata input) external returns (LockOrBurnOut memory);
    function releaseOrMint(ReleaseOrMintIn calldata input) external returns (ReleaseOrMintOut memory);
}

interface ITokenAdminRegistry {
    function getPool(address token) external view returns (address);
}

interface IRouter {
    function getOnRamp(uint64 destChainSelector) external view returns (address);
    function routeMessage(ReceivedMessage calldata message, uint16 gasForCallExactCheck, uint256 gasLimit, address receiver)
        external
        returns (bool success, bytes memory returnData, uint256 gasUsed);
}

interface IMessageReceiver {
    function ccipReceive(ReceivedMessage calldata message) external;
}
