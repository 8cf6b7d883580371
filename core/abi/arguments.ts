import type { ParamType } from 'ethers';
import { argumentValue, type Complain, type Fault } from './argumentValues.ts';

/** The value that a text of a command line or of an agent means for a type of an ABI. Throws Error that names the argument. */
export function argumentOf(type: ParamType, text: string, index: number): unknown {
  const complain: Complain = (fault, { type: wanted, path }) =>
    new Error(sentenceOf(fault, wanted, `argument ${type.name || index + 1}${path}`));
  return argumentValue(type, text, complain);
}

function sentenceOf(fault: Fault, type: ParamType, name: string): string {
  const is = `${name} is ${type.format('sighash')}`;
  switch (fault.kind) {
    case 'length':
      return `${is}: it takes ${fault.wanted} values, not ${fault.given}`;
    case 'many':
      return `${name} has more than ${fault.most} values: use several calls`;
    case 'checksum':
      return `${name} is an address with a wrong checksum: check it, or write it in small letters`;
    case 'unwritable':
      return `${name} is ${type.type}, which is not a type that can be written here`;
    case 'count':
    case 'unknown':
    case 'missing':
      return `${name} has the members ${fault.members.join(', ')}: ${memberText(fault)}`;
    default:
      return `${is}: use ${formOf(fault)}`;
  }
}

type MemberFault = Extract<Fault, { kind: 'count' | 'unknown' | 'missing' }>;

function memberText(fault: MemberFault): string {
  if (fault.kind === 'count') return `the list has ${fault.given} values, not ${fault.members.length}`;
  return fault.kind === 'unknown' ? `"${fault.member}" is none of them` : `"${fault.member}" is missing`;
}

const forms: Readonly<Partial<Record<Fault['kind'], string>>> = {
  text: 'a text in quotes',
  boolean: 'true or false',
  whole: 'a whole number',
  address: '0x and 40 hexadecimal digits',
};

function formOf(fault: Fault): string {
  if (fault.kind === 'range') {
    const { isSigned, power } = fault;
    return `a whole number from ${isSigned ? `-2^${power}` : '0'} to 2^${power}-1`;
  }
  if (fault.kind === 'bytes') return `0x and ${fault.digits || 'an even number of'} hexadecimal digits`;
  return forms[fault.kind] ?? 'JSON such as [1, 2], with texts and addresses in quotes';
}
