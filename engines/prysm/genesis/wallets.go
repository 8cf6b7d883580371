package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"github.com/google/uuid"
	keystorev4 "github.com/wealdtech/go-eth2-wallet-encryptor-keystorev4"
)

// accounts is what prysm keeps encrypted in a local wallet (validator/keymanager/local, accountStore).
type accounts struct {
	PrivateKeys [][]byte `json:"private_keys"`
	PublicKeys  [][]byte `json:"public_keys"`
}

// writeWallet writes a local wallet of prysm below out, and its password into out/password.
func writeWallet(o options, root *big.Int) error {
	validators, err := deriveValidators(root, o.first, o.count)
	if err != nil {
		return err
	}
	var store accounts
	for _, keys := range validators {
		store.PrivateKeys = append(store.PrivateKeys, keys.signing.Marshal())
		store.PublicKeys = append(store.PublicKeys, keys.signing.PublicKey().Marshal())
	}
	plain, err := json.Marshal(store)
	if err != nil {
		return err
	}
	password, err := newPassword()
	if err != nil {
		return err
	}
	encryptor := keystorev4.New(keystorev4.WithCipher("pbkdf2"))
	crypto, err := encryptor.Encrypt(plain, password)
	if err != nil {
		return err
	}
	wallet := map[string]any{"crypto": crypto, "uuid": uuid.NewString(), "version": encryptor.Version(), "name": encryptor.Name()}
	if err := writeJSON(filepath.Join(o.out, "wallet/direct/accounts/all-accounts.keystore.json"), wallet); err != nil {
		return err
	}
	return writeFile(filepath.Join(o.out, "password"), []byte(password))
}

// writeKeystores writes a keystore of EIP-2335 for each validator as out/keys/<public key>/voting-keystore.json, its
// password in out/secrets/<public key>: the layout of lighthouse, lodestar and nimbus; and side by side for teku as
// out/flat/<public key>.json and .txt.
func writeKeystores(o options, root *big.Int) error {
	validators, err := deriveValidators(root, o.first, o.count)
	if err != nil {
		return err
	}
	for index, keys := range validators {
		password, err := newPassword()
		if err != nil {
			return err
		}
		encryptor := keystorev4.New(keystorev4.WithCipher("pbkdf2"))
		crypto, err := encryptor.Encrypt(keys.signing.Marshal(), password)
		if err != nil {
			return err
		}
		publicKey := hex.EncodeToString(keys.signing.PublicKey().Marshal())
		path := fmt.Sprintf("m/12381/3600/%d/0/0", o.first+uint64(index))
		keystore := map[string]any{"crypto": crypto, "pubkey": publicKey, "path": path, "uuid": uuid.NewString(), "version": 4}
		if err := writeKeystore(o.out, "0x"+publicKey, keystore, password); err != nil {
			return err
		}
	}
	return nil
}

func writeKeystore(out, name string, keystore map[string]any, password string) error {
	for _, path := range []string{"keys/" + name + "/voting-keystore.json", "flat/" + name + ".json"} {
		if err := writeJSON(filepath.Join(out, path), keystore); err != nil {
			return err
		}
	}
	for _, path := range []string{"secrets/" + name, "flat/" + name + ".txt"} {
		if err := writeFile(filepath.Join(out, path), []byte(password)); err != nil {
			return err
		}
	}
	return nil
}

func newPassword() (string, error) {
	bytes := make([]byte, 24)
	_, err := rand.Read(bytes)
	return hex.EncodeToString(bytes), err
}

func writeJSON(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return writeFile(path, text)
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}
