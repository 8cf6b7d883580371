"""A project's own tests with web3.py: HTTP, WebSocket, and the admin URL."""

import asyncio
import os
import time

import pytest
from web3 import AsyncWeb3, HTTPProvider, Web3, WebSocketProvider

KEY = os.environ["PRIVATE_KEY"]
TO = "0x00000000000000000000000000000000DeaDBeef"


def test_sends_over_http_and_waits_for_confirmations():
    w3 = Web3(HTTPProvider(os.environ["RPC_URL"]))
    account = w3.eth.account.from_key(KEY)
    receipt = w3.eth.wait_for_transaction_receipt(w3.eth.send_raw_transaction(sign(w3, account)))
    assert receipt["status"] == 1
    deadline = time.monotonic() + 40
    while w3.eth.block_number < receipt["blockNumber"] + 3:
        assert time.monotonic() < deadline
        time.sleep(0.5)


def test_reads_a_proof_by_the_number_of_a_slot():
    w3 = Web3(HTTPProvider(os.environ["RPC_URL"]))
    assert len(w3.eth.get_proof(TO, [0])["storageProof"]) == 1


def test_sends_over_websocket_and_hears_of_its_confirmations():
    async def run():
        async with AsyncWeb3(WebSocketProvider(os.environ["WS_URL"])) as w3:
            account = w3.eth.account.from_key(KEY)
            transaction = {
                "to": TO,
                "value": 1,
                "gas": 21_000,
                "gasPrice": await w3.eth.gas_price * 2,
                "nonce": await w3.eth.get_transaction_count(account.address),
                "chainId": await w3.eth.chain_id,
            }
            await w3.eth.subscribe("newHeads")
            raw = account.sign_transaction(transaction).raw_transaction
            receipt = await w3.eth.wait_for_transaction_receipt(await w3.eth.send_raw_transaction(raw))
            async for message in w3.socket.process_subscriptions():
                if message["result"]["number"] >= receipt["blockNumber"] + 3:
                    return

    asyncio.run(asyncio.wait_for(run(), 40))


def test_asks_in_a_batch_over_websocket():
    async def run():
        async with AsyncWeb3(WebSocketProvider(os.environ["WS_URL"])) as w3:
            async with w3.batch_requests() as batch:
                batch.add(w3.eth.get_balance(TO))
                batch.add(w3.eth.get_block("latest"))
                balance, block = await batch.async_execute()
            assert balance >= 0 and block["number"] > 0

    asyncio.run(asyncio.wait_for(run(), 40))


@pytest.mark.parametrize("name", ["ADMIN_URL", "ADMIN_WS_URL"])
def test_mines_on_the_admin_url(name):
    async def run():
        if name == "ADMIN_URL":
            w3 = Web3(HTTPProvider(os.environ[name]))
            before = w3.eth.block_number
            w3.provider.make_request("anvil_mine", ["0x3"])
            assert w3.eth.block_number == before + 3
            return
        async with AsyncWeb3(WebSocketProvider(os.environ[name])) as w3:
            before = await w3.eth.block_number
            await w3.provider.make_request("anvil_mine", ["0x3"])
            assert await w3.eth.block_number == before + 3

    asyncio.run(asyncio.wait_for(run(), 40))


def sign(w3, account):
    transaction = {
        "to": TO,
        "value": 1,
        "gas": 21_000,
        "gasPrice": w3.eth.gas_price * 2,
        "nonce": w3.eth.get_transaction_count(account.address),
        "chainId": w3.eth.chain_id,
    }
    return account.sign_transaction(transaction).raw_transaction
