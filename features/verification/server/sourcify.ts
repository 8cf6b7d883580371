import { parseJson } from '../../../apiserver/http/pipeline/json.ts';
import { AppError } from '../../../core/lib/errors.ts';
import type { VerifiedContractSpec } from '../api/verifiedContract.ts';
import { errorOf } from './attempts.ts';
import { detailsOf } from './details.ts';
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

/** The part of version 2 of Sourcify's API that Foundry and Hardhat use (https://docs.sourcify.dev/docs/api). */
export function answerSourcify(deps: VerifyDeps, request: VerifyRequest): Promise<VerifyAnswer> | undefined {
  const [, kind, ...rest] = /^\/v2\/(verify|contract)\/([^/]+)(?:\/([^/]+))?$/.exec(request.path) ?? [];
  const [first = '', address] = rest;
  const isGet = request.method === 'GET';
  if (kind === 'verify' && isGet && !address) return status(deps, request, first);
  if (!kind || !address) return undefined;
  checkAddress(request, first, address);
  if (kind === 'contract' && isGet) return lookUp(deps, request, address);
  return kind === 'verify' && request.method === 'POST' ? submit(deps, request, address) : undefined;
}

/** An error in Sourcify's form. */
export function sourcifyError(error: AppError, requestId: string): VerifyAnswer {
  const code = error.reason === 'TooManyRequests' ? 'rate_limit' : 'invalid_request';
  const body = { customCode: code, message: error.message, errorId: requestId };
  return { status: error.status, body };
}

function checkAddress({ network }: VerifyRequest, chainId: string, address: string): void {
  const { chainID } = network.status ?? {};
  if (chainId !== chainID) {
    throw new AppError('BadRequest', `the network has the chain id ${chainID}, not ${chainId.slice(0, 100)}`);
  }
  checkIsAddress('the path', address);
}

async function submit(deps: VerifyDeps, request: VerifyRequest, address: string): Promise<VerifyAnswer> {
  const submission = parseSubmission(
    parseJson(request.body, { ...submissionLimits, take: request.take }).value,
  );
  const verificationId = await submitContract(deps, request, { address, submission });
  if (verificationId === undefined) throw new AppError('BadRequest', `there is no contract at ${address}`);
  return { status: 202, body: { verificationId } };
}

async function status(deps: VerifyDeps, request: VerifyRequest, id: string): Promise<VerifyAnswer> {
  const found = await findAttempt(deps.kube, request, id);
  if (!found) {
    throw new AppError('NotFound', 'no such verification, or a later one of the same contract has begun');
  }
  const { startedAt, finishedAt } = found.spec.attempt;
  const error = errorOf(found.spec.attempt, deps.clock);
  const isDone = error !== 'pending';
  const verified = isDone && !error ? found.spec.verified : undefined;
  return {
    status: 200,
    body: {
      isJobCompleted: isDone,
      verificationId: id,
      jobStartTime: startedAt,
      jobFinishTime: finishedAt,
      contract: contractOf(request, found.spec.address, verified),
      ...(isDone && error ? { error: { customCode: error.code, message: error.message, errorId: id } } : {}),
    },
  };
}

async function lookUp(deps: VerifyDeps, request: VerifyRequest, address: string): Promise<VerifyAnswer> {
  const verified = await findVerified(deps.kube, placeOf(request, address), request.chain);
  const contract = contractOf(request, address, verified);
  if (!verified) return { status: 404, body: contract };
  const fields = request.query.get('fields')?.split(',') ?? [];
  if (fields.length === 0) return { status: 200, body: contract };
  const { abi, input } = await detailsOf(verified, request.charge);
  const [, name] = splitName(verified.name);
  const compilation = {
    language: 'Solidity',
    compiler: 'solc',
    compilerVersion: verified.compiler,
    compilerSettings: input.settings,
    name,
    fullyQualifiedName: verified.name,
  };
  const all = { abi, sources: input.sources, stdJsonInput: input, compilation };
  const isAsked = ([field]: [string, unknown]) => fields.includes('all') || fields.includes(field);
  return { status: 200, body: { ...contract, ...Object.fromEntries(Object.entries(all).filter(isAsked)) } };
}

function contractOf(
  { network }: VerifyRequest,
  address: string,
  verified: VerifiedContractSpec['verified'],
): object {
  return {
    match: verified?.match ?? null,
    creationMatch: verified?.creationMatch ?? null,
    runtimeMatch: verified?.runtimeMatch ?? null,
    chainId: network.status?.chainID,
    address: verified?.address ?? address,
    ...(verified ? { verifiedAt: verified.verifiedAt } : {}),
  };
}
