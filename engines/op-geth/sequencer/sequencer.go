package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

const (
	// How long the client may fill a block.
	buildTime = 100 * time.Millisecond
	retryTime = 200 * time.Millisecond
)

type sequencer struct {
	options
	engine *engine
}

type head struct {
	Hash      common.Hash    `json:"hash"`
	Number    hexutil.Uint64 `json:"number"`
	Timestamp hexutil.Uint64 `json:"timestamp"`
}

func newSequencer(o options, e *engine) *sequencer { return &sequencer{options: o, engine: e} }

// run makes blocks until the context ends. An error is told once; while it lasts, the client may just be starting.
func (s *sequencer) run(ctx context.Context) {
	told := ""
	for ctx.Err() == nil {
		err := s.next(ctx)
		if err == nil {
			told = ""
			continue
		}
		if text := err.Error(); text != told && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "slipway-sequencer:", text)
			told = text
		}
		sleep(ctx, time.Now().Add(retryTime))
	}
}

// next makes the block after the client's newest one, when its time has come.
func (s *sequencer) next(ctx context.Context) error {
	var parent head
	if err := s.engine.call(ctx, &parent, "eth_getBlockByNumber", "latest", false); err != nil {
		return err
	}
	// Blocks that were due while the node was stopped are left out.
	timestamp := max(uint64(parent.Timestamp)+s.blockTime, uint64(time.Now().Unix()))
	sleep(ctx, time.Unix(int64(timestamp), 0))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	id, err := s.begin(ctx, parent.Hash, timestamp)
	if err != nil {
		return err
	}
	sleep(ctx, time.Now().Add(buildTime))
	return s.finish(ctx, id)
}

type forkchoiceAnswer struct {
	PayloadStatus status `json:"payloadStatus"`
	PayloadID     string `json:"payloadId"`
}

type status struct {
	Status          string  `json:"status"`
	ValidationError *string `json:"validationError"`
}

// begin lets the client fill a block on top of parent.
func (s *sequencer) begin(ctx context.Context, parent common.Hash, timestamp uint64) (string, error) {
	deposit, err := attributesTx(s.options, timestamp)
	if err != nil {
		return "", err
	}
	payload := map[string]any{
		"timestamp":             hexutil.Uint64(timestamp),
		"prevRandao":            common.BytesToHash(word(timestamp / l1BlockTime)),
		"suggestedFeeRecipient": common.HexToAddress(s.feeRecipient),
		"withdrawals":           []any{},
		"parentBeaconBlockRoot": common.Hash{},
		"transactions":          []hexutil.Bytes{deposit},
		"noTxPool":              false,
		"gasLimit":              hexutil.Uint64(s.gasLimit),
		// Zeros: the values of the genesis.
		"eip1559Params": hexutil.Bytes(make([]byte, 8)),
		"minBaseFee":    s.minBaseFee,
	}
	answer, err := s.forkchoice(ctx, parent, payload)
	if err != nil {
		return "", err
	}
	if answer.PayloadID == "" {
		return "", fmt.Errorf("the client begins no block: %s", answer.PayloadStatus.Status)
	}
	return answer.PayloadID, nil
}

// finish takes the block from the client and makes it the newest one.
func (s *sequencer) finish(ctx context.Context, id string) error {
	var built struct {
		ExecutionPayload      map[string]json.RawMessage `json:"executionPayload"`
		ParentBeaconBlockRoot common.Hash                `json:"parentBeaconBlockRoot"`
	}
	if err := s.engine.call(ctx, &built, "engine_getPayloadV4", id); err != nil {
		return err
	}
	payload := built.ExecutionPayload
	var hash common.Hash
	if err := json.Unmarshal(payload["blockHash"], &hash); err != nil {
		return err
	}
	// The client leaves it out while nothing was ever sent to L1, but does not accept that.
	if _, isGiven := payload["withdrawalsRoot"]; !isGiven {
		payload["withdrawalsRoot"] = json.RawMessage(`"` + types.EmptyWithdrawalsHash.Hex() + `"`)
	}
	var imported status
	err := s.engine.call(ctx, &imported, "engine_newPayloadV4",
		payload, []common.Hash{}, built.ParentBeaconBlockRoot, []hexutil.Bytes{})
	if err != nil {
		return err
	}
	if imported.Status != "VALID" {
		return fmt.Errorf("the client refuses its own block: %s", describe(imported))
	}
	_, err = s.forkchoice(ctx, hash, nil)
	return err
}

// forkchoice makes a block the newest, safe and final one: there is nobody else who could make another.
func (s *sequencer) forkchoice(ctx context.Context, hash common.Hash, payload any) (forkchoiceAnswer, error) {
	var answer forkchoiceAnswer
	state := map[string]common.Hash{"headBlockHash": hash, "safeBlockHash": hash, "finalizedBlockHash": hash}
	if err := s.engine.call(ctx, &answer, "engine_forkchoiceUpdatedV3", state, payload); err != nil {
		return answer, err
	}
	if answer.PayloadStatus.Status != "VALID" {
		return answer, fmt.Errorf("the client does not follow: %s", describe(answer.PayloadStatus))
	}
	return answer, nil
}

func describe(s status) string {
	if s.ValidationError == nil {
		return s.Status
	}
	return s.Status + ": " + *s.ValidationError
}
