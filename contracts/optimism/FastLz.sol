// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.28;

/// @title Computes the length of data compressed with FastLZ level 1
/// @notice The OP Stack uses this length to estimate the L1 cost of a transaction (specification of the Fjord upgrade).
library FastLz {
    uint256 private constant WINDOW = 8192;
    /// @dev A match never starts in this many bytes at the end.
    uint256 private constant TAIL = 13;

    function compressedLength(bytes memory data) internal pure returns (uint256 length) {
        unchecked {
            uint256 limit = data.length < TAIL ? 0 : data.length - TAIL;
            uint256[] memory lastSeen = new uint256[](WINDOW);
            uint256 literalsFrom;
            uint256 at = 2;
            while (at < limit) {
                uint256 word = _threeBytes(data, at);
                uint256 candidate = _remember(lastSeen, word, at);
                if (at - candidate >= WINDOW || word != _threeBytes(data, candidate)) {
                    at++;
                    continue;
                }
                // The reference implementation stops its search one byte before the limit.
                if (at + 1 >= limit) break;
                length += _literals(at - literalsFrom);
                uint256 matched = _matchLength(data, candidate + 3, at + 3, limit + 9);
                length += _match(matched);
                at += matched;
                _remember(lastSeen, _threeBytes(data, at), at);
                _remember(lastSeen, _threeBytes(data, at + 1), at + 1);
                at += 2;
                literalsFrom = at;
            }
            length += _literals(data.length - literalsFrom);
        }
    }

    /// @return former The last position of a word with the same hash.
    function _remember(uint256[] memory lastSeen, uint256 word, uint256 at) private pure returns (uint256 former) {
        unchecked {
            uint256 slot = ((word * 2654435769) >> 19) % WINDOW;
            former = lastSeen[slot];
            lastSeen[slot] = at;
        }
    }

    function _threeBytes(bytes memory data, uint256 at) private pure returns (uint256) {
        unchecked {
            return uint256(uint8(data[at])) | (uint256(uint8(data[at + 1])) << 8) | (uint256(uint8(data[at + 2])) << 16);
        }
    }

    /// @dev A run of literals has a one-byte header for every 32 bytes.
    function _literals(uint256 count) private pure returns (uint256) {
        unchecked {
            uint256 rest = count % 32;
            return (count / 32) * 33 + (rest == 0 ? 0 : rest + 1);
        }
    }

    /// @dev A match of up to 262 bytes is encoded in three bytes, a short one in two.
    function _match(uint256 matched) private pure returns (uint256) {
        unchecked {
            uint256 count = matched - 1;
            return (count / 262) * 3 + (count % 262 >= 6 ? 3 : 2);
        }
    }

    function _matchLength(bytes memory data, uint256 left, uint256 right, uint256 end) private pure returns (uint256 count) {
        unchecked {
            while (right + count < end) {
                if (data[left + count] != data[right + count]) return count + 1;
                count++;
            }
        }
    }
}
