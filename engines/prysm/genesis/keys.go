package main

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"

	"github.com/OffchainLabs/prysm/v7/async"
	"github.com/OffchainLabs/prysm/v7/crypto/bls"
	util "github.com/wealdtech/go-eth2-util"
)

// validator holds the two keys of EIP-2334: m/12381/3600/i/0 withdraws, m/12381/3600/i/0/0 signs.
type validator struct {
	withdrawal, signing bls.SecretKey
}

func readRoot(path string) (*big.Int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	bytes, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(bytes) != 32 {
		return nil, fmt.Errorf("%s does not hold 32 bytes in hexadecimal", path)
	}
	return new(big.Int).SetBytes(bytes), nil
}

// deriveValidators returns the keys of the validators first, first+1, ... in that order.
func deriveValidators(root *big.Int, first, count uint64) ([]validator, error) {
	derived := make([]validator, count)
	_, err := async.Scatter(int(count), func(offset, entries int, _ *sync.RWMutex) (any, error) {
		for i := offset; i < offset+entries; i++ {
			keys, err := deriveValidator(root, uint32(first)+uint32(i))
			if err != nil {
				return nil, err
			}
			derived[i] = keys
		}
		return nil, nil
	})
	return derived, err
}

func deriveValidator(root *big.Int, index uint32) (validator, error) {
	account, err := util.DeriveChildSK(root, index)
	if err != nil {
		return validator{}, err
	}
	withdrawalNumber, err := util.DeriveChildSK(account, 0)
	if err != nil {
		return validator{}, err
	}
	signingNumber, err := util.DeriveChildSK(withdrawalNumber, 0)
	if err != nil {
		return validator{}, err
	}
	withdrawal, err := secretKey(withdrawalNumber)
	if err != nil {
		return validator{}, err
	}
	signing, err := secretKey(signingNumber)
	return validator{withdrawal, signing}, err
}

func secretKey(number *big.Int) (bls.SecretKey, error) {
	return bls.SecretKeyFromBytes(number.FillBytes(make([]byte, 32)))
}
