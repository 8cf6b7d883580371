import { parseForm } from '../../../apiserver/http/pipeline/form.ts';
import { parseJson } from '../../../apiserver/http/pipeline/json.ts';
import { AppError, isAppError } from '../../../core/lib/errors.ts';
import type { VerifiedContractSpec } from '../api/verifiedContract.ts';
import { errorOf } from './attempts.ts';
import { abiOf, detailsOf } from './details.ts';
import {
  checkIsAddress,
  placeOf,
  type VerifyAnswer,
  type VerifyDeps,
  type VerifyRequest,
} from './exchange.ts';
import { findAttempt, findVerified } from './lookup.ts';
import { parseSubmission, splitName, submissionLimits } from './submission.ts';
import { submitContract } from './submit.ts';

type Fields = ReadonlyMap<string, string>;
type Action = (deps: VerifyDeps, request: VerifyRequest, fields: Fields) => Promise<VerifyAnswer>;

const maxFields = 100;
const notVerified = 'Contract source code not verified';

/** The part of Etherscan's API, which Blockscout has too, that Foundry and Hardhat use. */
const actions: Record<string, Action> = {
  verifysourcecode: submit,
  checkverifystatus: status,
  getabi: async (deps, request, fields) => {
    const found = await verifiedOf(deps, request, fields);
    return found ? ok(await abiOf(found, request.charge)) : notOk(notVerified);
  },
  getsourcecode: async (deps, request, fields) =>
    ok([await sourceOf(request, await verifiedOf(deps, request, fields))]),
};

/** Parameters are in the query or in a form. */
export function answerEtherscan(deps: VerifyDeps, request: VerifyRequest): Promise<VerifyAnswer> | undefined {
  if (!['GET', 'POST'].includes(request.method) || !/^\/(api)?$/.test(request.path)) return undefined;
  const fields = new Map([...request.query, ...parseForm(request.body, maxFields)].toReversed());
  const name = fields.get('action') ?? '';
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (fields.get('module') !== 'contract' || !action) {
    const known = Object.keys(actions).join(', ');
    throw new AppError('BadRequest', `use module=contract with one of these actions: ${known}`);
  }
  return action(deps, request, fields);
}

/** An error in Etherscan's form. */
export function etherscanError(error: AppError): VerifyAnswer {
  const isRequest = error.reason === 'BadRequest' || error.reason === 'NotFound';
  return { ...notOk(error.message), status: isRequest ? 200 : error.status };
}

const ok = (result: unknown): VerifyAnswer => ({ status: 200, body: { status: '1', message: 'OK', result } });
const notOk = (result: string): VerifyAnswer => ({
  status: 200,
  body: { status: '0', message: 'NOTOK', result },
});

async function submit(deps: VerifyDeps, request: VerifyRequest, fields: Fields): Promise<VerifyAnswer> {
  const format = fields.get('codeformat');
  if (format !== 'solidity-standard-json-input') {
    throw new AppError(
      'BadRequest',
      'codeformat: use solidity-standard-json-input (Foundry: without --flatten)',
    );
  }
  const address = addressOf(fields, 'contractaddress');
  const submission = parseSubmission({
    stdJsonInput: jsonOf(request, fields.get('sourceCode') ?? ''),
    compilerVersion: fields.get('compilerversion') ?? '',
    contractIdentifier: fields.get('contractname') ?? '',
  });
  const guid = await submitContract(deps, request, { address, submission });
  return guid === undefined ? notOk(`Unable to locate ContractCode at ${address}`) : ok(guid);
}

async function status(deps: VerifyDeps, request: VerifyRequest, fields: Fields): Promise<VerifyAnswer> {
  const found = await findAttempt(deps.kube, request, fields.get('guid') ?? '');
  if (!found) return notOk('no such verification: submit the contract again');
  const error = errorOf(found.spec.attempt, deps.clock);
  if (error === 'pending') return notOk('Pending in queue');
  return error ? notOk(`Fail - Unable to verify: ${error.message}`) : ok('Pass - Verified');
}

function verifiedOf(deps: VerifyDeps, request: VerifyRequest, fields: Fields) {
  return findVerified(deps.kube, placeOf(request, addressOf(fields, 'address')), request.chain);
}

/** All fields are text. */
async function sourceOf(
  request: VerifyRequest,
  verified: VerifiedContractSpec['verified'],
): Promise<Record<string, string>> {
  if (!verified) return { SourceCode: '', ABI: notVerified, ContractName: '' };
  const { abi, input } = await detailsOf(verified, request.charge);
  const { optimizer, evmVersion } = input.settings;
  const { enabled = false, runs = 200 } =
    typeof optimizer === 'object' && optimizer ? ({ ...optimizer } as Record<string, unknown>) : {};
  return {
    SourceCode: `{${JSON.stringify(input)}}`,
    ABI: JSON.stringify(abi),
    ContractName: splitName(verified.name)[1],
    CompilerVersion: `v${verified.compiler}`,
    OptimizationUsed: enabled === true ? '1' : '0',
    Runs: String(runs),
    ConstructorArguments: verified.constructorArguments?.slice(2) ?? '',
    EVMVersion: typeof evmVersion === 'string' ? evmVersion : 'Default',
    Library: '',
    LicenseType: '',
    Proxy: '0',
    Implementation: '',
    SwarmSource: '',
  };
}

function addressOf(fields: Fields, name: string): string {
  const address = fields.get(name) ?? '';
  checkIsAddress(name, address);
  return address;
}

function jsonOf({ take }: VerifyRequest, text: string): unknown {
  try {
    return parseJson(Buffer.from(text), { ...submissionLimits, take }).value;
  } catch (error) {
    if (!isAppError(error, 'BadRequest')) throw error;
    throw new AppError('BadRequest', `sourceCode: use standard JSON: ${error.message}`);
  }
}
