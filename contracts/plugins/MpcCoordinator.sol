// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

import {VRFV2PlusClient} from "@chainlink/contracts/src/v0.8/vrf/dev/libraries/VRFV2PlusClient.sol";
import {BLS} from "@kevincharm/bls-bn254/contracts/BLS.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";

interface IConsumer {
    function rawFulfillRandomWords(uint256 requestId, uint256[] calldata randomWords) external;
}

/// @title Random words signed by a committee, for consumers that extend Chainlink's VRFConsumerBaseV2Plus
/// @notice Each request waits for a round of the drand committee that nobody has signed yet. Anyone may deliver it.
contract MpcCoordinator is Ownable {
    struct Committee {
        uint256[4] key;
        uint64 genesis;
        uint64 period;
        uint64 firstRound;
    }

    struct Request {
        address consumer;
        uint32 callbackGasLimit;
        uint32 numWords;
        uint64 round;
        uint32 term;
        uint256 subId;
    }

    /// @notice What requests name as their key: it stays the same when the committee changes
    bytes32 public constant keyHash = keccak256("slipway.vrf.mpc");
    uint32 public constant MAX_NUM_WORDS = 500;
    uint32 public constant MAX_CALLBACK_GAS = 2_500_000;
    uint16 public constant MAX_REQUEST_CONFIRMATIONS = 200;
    /// @dev How many rounds later than the current one a request is answered
    uint64 private constant DELAY = 2;
    /// @dev What a fulfilment still needs after the consumer's call
    uint256 private constant GAS_AFTER_CALL = 40_000;
    bytes private constant DST = bytes("BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_");

    /// @notice How many committees there have been
    uint32 public term;
    Committee private _committee;
    uint256 private _nonce;
    mapping(uint256 requestId => Request) public requests;

    event CommitteeChanged(uint32 indexed term, uint256[4] key, uint64 genesis, uint64 period);
    event RandomWordsRequested(
        bytes32 indexed keyHash,
        uint256 requestId,
        uint256 preSeed,
        uint256 indexed subId,
        uint16 minimumRequestConfirmations,
        uint32 callbackGasLimit,
        uint32 numWords,
        bytes extraArgs,
        address indexed sender
    );
    event RandomWordsFulfilled(
        uint256 indexed requestId,
        uint256 outputSeed,
        uint256 indexed subId,
        uint96 payment,
        bool nativePayment,
        bool success,
        bool onlyPremium
    );

    error InvalidCommittee();
    error NoCommittee();
    error InvalidKeyHash(bytes32 keyHash);
    error NumWordsOutOfRange(uint32 given, uint32 max);
    error GasLimitTooBig(uint32 given, uint32 max);
    error InvalidRequestConfirmations(uint16 given, uint16 max);
    error NoCorrespondingRequest();
    error NotSignedByCommittee(uint64 round);
    error InsufficientGasForConsumer(uint256 have, uint256 want);

    constructor(address owner) Ownable(owner) {}

    /// @notice Requests that are open wait for the first unsigned round of the new committee
    /// @param genesis The time of the committee's first round, in seconds since 1970
    /// @param period The seconds between rounds
    function setCommittee(uint256[4] calldata key, uint64 genesis, uint64 period) external onlyOwner {
        if (period == 0 || !BLS.isValidPublicKey(key)) revert InvalidCommittee();
        _committee = Committee(key, genesis, period, 0);
        _committee.firstRound = _nextRound();
        emit CommitteeChanged(++term, key, genesis, period);
    }

    function committee() external view returns (Committee memory) {
        return _committee;
    }

    function committeeHash() external view returns (bytes32) {
        return keccak256(abi.encode(_committee.key, _committee.genesis, _committee.period));
    }

    /// @return The round that answers the request
    function roundOf(uint256 requestId) public view returns (uint64) {
        Request storage request = requests[requestId];
        return request.term == term ? request.round : _committee.firstRound;
    }

    /// @return requestId What fulfillRandomWords of the consumer is called with
    function requestRandomWords(
        VRFV2PlusClient.RandomWordsRequest calldata request
    ) external returns (uint256 requestId) {
        _check(request);
        requestId = uint256(keccak256(abi.encode(block.chainid, address(this), msg.sender, ++_nonce)));
        uint64 round = _nextRound();
        requests[requestId] =
            Request(msg.sender, request.callbackGasLimit, request.numWords, round, term, request.subId);
        emit RandomWordsRequested(
            keyHash,
            requestId,
            round,
            request.subId,
            request.requestConfirmations,
            request.callbackGasLimit,
            request.numWords,
            request.extraArgs,
            msg.sender
        );
    }

    /// @param signature The committee's signature of the request's round
    function fulfillRandomWords(uint256 requestId, uint256[2] calldata signature) external returns (bool success) {
        Request memory request = requests[requestId];
        if (request.consumer == address(0)) revert NoCorrespondingRequest();
        _verify(roundOf(requestId), signature);
        delete requests[requestId];
        uint256 seed = uint256(keccak256(abi.encode(signature, requestId)));
        success = _deliver(requestId, request, seed);
        emit RandomWordsFulfilled(requestId, seed, request.subId, 0, false, success, false);
    }

    function _nextRound() private view returns (uint64) {
        Committee storage current = _committee;
        uint64 time = uint64(block.timestamp);
        return (time < current.genesis ? 0 : (time - current.genesis) / current.period + 1) + DELAY;
    }

    function _check(VRFV2PlusClient.RandomWordsRequest calldata request) private view {
        if (term == 0) revert NoCommittee();
        if (request.keyHash != keyHash) revert InvalidKeyHash(request.keyHash);
        if (request.numWords == 0 || request.numWords > MAX_NUM_WORDS) {
            revert NumWordsOutOfRange(request.numWords, MAX_NUM_WORDS);
        }
        if (request.callbackGasLimit > MAX_CALLBACK_GAS) {
            revert GasLimitTooBig(request.callbackGasLimit, MAX_CALLBACK_GAS);
        }
        if (request.requestConfirmations > MAX_REQUEST_CONFIRMATIONS) {
            revert InvalidRequestConfirmations(request.requestConfirmations, MAX_REQUEST_CONFIRMATIONS);
        }
    }

    function _verify(uint64 round, uint256[2] calldata signature) private view {
        uint256[2] memory message = BLS.hashToPoint(DST, bytes.concat(keccak256(abi.encodePacked(round))));
        if (!BLS.isValidSignature(signature)) revert NotSignedByCommittee(round);
        (bool isValid, bool isCalled) = BLS.verifySingle(signature, _committee.key, message);
        if (!isValid || !isCalled) revert NotSignedByCommittee(round);
    }

    /// @dev Refuses to use up a request with too little gas: the consumer must get what it asked for.
    function _deliver(uint256 requestId, Request memory request, uint256 seed) private returns (bool success) {
        if (request.consumer.code.length == 0) return false;
        uint256[] memory words = new uint256[](request.numWords);
        for (uint256 i; i < words.length; ++i) words[i] = uint256(keccak256(abi.encode(seed, i)));
        bytes memory data = abi.encodeCall(IConsumer.rawFulfillRandomWords, (requestId, words));
        uint256 want = uint256(request.callbackGasLimit) * 64 / 63 + GAS_AFTER_CALL;
        if (gasleft() < want) revert InsufficientGasForConsumer(gasleft(), want);
        address consumer = request.consumer;
        uint256 limit = request.callbackGasLimit;
        // The consumer's return data is not copied: it could use up the gas of the caller.
        assembly ("memory-safe") {
            success := call(limit, consumer, 0, add(data, 32), mload(data), 0, 0)
        }
    }
}
