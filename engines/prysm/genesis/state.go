package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/OffchainLabs/prysm/v7/async"
	"github.com/OffchainLabs/prysm/v7/beacon-chain/core/signing"
	"github.com/OffchainLabs/prysm/v7/config/params"
	"github.com/OffchainLabs/prysm/v7/crypto/hash"
	ethpb "github.com/OffchainLabs/prysm/v7/proto/prysm/v1alpha1"
	"github.com/OffchainLabs/prysm/v7/runtime/interop"
	"github.com/OffchainLabs/prysm/v7/runtime/version"
	"github.com/ethereum/go-ethereum/core"
)

// writeState makes the genesis state of the beacon chain in the form of Electra, on top of the first execution block.
func writeState(ctx context.Context, o options, root *big.Int) error {
	if err := params.LoadChainConfigFile(o.config, nil); err != nil {
		return fmt.Errorf("%s: %w", o.config, err)
	}
	text, err := os.ReadFile(o.execution)
	if err != nil {
		return err
	}
	execution := &core.Genesis{}
	if err := json.Unmarshal(text, execution); err != nil {
		return fmt.Errorf("%s: %w", o.execution, err)
	}
	validators, err := deriveValidators(root, 0, o.validators)
	if err != nil {
		return err
	}
	deposits, roots, err := depositsOf(validators)
	if err != nil {
		return err
	}
	genesisTime := time.Unix(int64(execution.Timestamp), 0)
	state, err := interop.NewPreminedGenesis(
		ctx, genesisTime, o.validators, 0, version.Electra, execution.ToBlock(),
		interop.WithDepositData(deposits, roots),
	)
	if err != nil {
		return err
	}
	encoded, err := state.MarshalSSZ()
	if err != nil {
		return err
	}
	return writeFolder(o, encoded)
}

// writeFolder leaves what the clients look for in a folder that describes a network.
func writeFolder(o options, state []byte) error {
	config, err := os.ReadFile(o.config)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		"genesis.ssz":                state,
		"config.yaml":                config,
		"deploy_block.txt":           []byte("0"),
		"deposit_contract_block.txt": []byte("0"),
		"bootstrap_nodes.yaml":       []byte("[]"),
	}
	for name, content := range files {
		if err := writeFile(filepath.Join(o.out, name), content); err != nil {
			return err
		}
	}
	return nil
}

// depositsOf signs for each validator the deposit that the staking tools would make.
func depositsOf(validators []validator) ([]*ethpb.Deposit_Data, [][]byte, error) {
	deposits := make([]*ethpb.Deposit_Data, len(validators))
	roots := make([][]byte, len(validators))
	domain, err := signing.ComputeDomain(params.BeaconConfig().DomainDeposit, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	_, err = async.Scatter(len(validators), func(offset, entries int, _ *sync.RWMutex) (any, error) {
		for i := offset; i < offset+entries; i++ {
			deposit, err := depositOf(validators[i], domain)
			if err != nil {
				return nil, err
			}
			root, err := deposit.HashTreeRoot()
			if err != nil {
				return nil, err
			}
			deposits[i], roots[i] = deposit, root[:]
		}
		return nil, nil
	})
	return deposits, roots, err
}

func depositOf(keys validator, domain []byte) (*ethpb.Deposit_Data, error) {
	// Withdrawal credentials of type 0x00: the hash of the withdrawal key.
	credentials := hash.Hash(keys.withdrawal.PublicKey().Marshal())
	credentials[0] = 0
	message := &ethpb.DepositMessage{
		PublicKey:             keys.signing.PublicKey().Marshal(),
		WithdrawalCredentials: credentials[:],
		Amount:                params.BeaconConfig().MaxEffectiveBalance,
	}
	root, err := message.HashTreeRoot()
	if err != nil {
		return nil, err
	}
	signingRoot, err := (&ethpb.SigningData{ObjectRoot: root[:], Domain: domain}).HashTreeRoot()
	if err != nil {
		return nil, err
	}
	return &ethpb.Deposit_Data{
		PublicKey:             message.PublicKey,
		WithdrawalCredentials: message.WithdrawalCredentials,
		Amount:                message.Amount,
		Signature:             keys.signing.Sign(signingRoot[:]).Marshal(),
	}, nil
}
